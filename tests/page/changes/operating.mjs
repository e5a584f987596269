import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually, sql, worker } from '../stage.mjs';

export function operating(stage) {
    it('holds_a_handler_and_releases_it', async () => {
        await worker('circuits', 'circuits.it');
        const mode = () => sql(`select circuit_mode from postrider.handlers where handler = 'circuits.it'`);
        const page = await stage.page();
        await page.to('#/handlers?handler=circuits.it');
        await page.getByText('attempt', { exact: false }).first().click();
        assert.match(await page.locator('main').innerText(), /A message has 1 attempt; then it is a dead letter/);
        await page.getByRole('button', { name: 'Stop circuits.it' }).click();
        await page.getByLabel('Reason').fill('while I look');
        await page.locator('dialog').getByRole('button', { name: 'Stop' }).click();
        await eventually(async () => (await mode()) === 'held', 'it is held');
        await page.getByText('stopped', { exact: true }).waitFor();
        await page.getByRole('button', { name: 'Automatic circuits.it' }).click();
        await page.getByLabel('Reason').fill('looked');
        await page.locator('dialog').getByRole('button', { name: 'Automatic' }).click();
        await eventually(async () => (await mode()) === 'automatic', 'it is released');
        await page.end();
    });

    it('shows_a_handler_on_trial_on_a_phone_and_releases_it', async () => {
        await worker('trials', 'trials.it');
        await sql(`insert into postrider.circuit (consumer_id, handler, state, openings, opened_at, failing_since, probe_at, last_error)
                   select id, 'trials.it', 'trial', 1, now(), now(), now() + interval '1 hour', 'no such order' from postrider.consumer where name = 'trials'`);
        const page = await stage.page({ width: 390, height: 844 });
        await page.locator('.health li', { hasText: 'trials.it is on trial; messages that have failed wait: no such order' }).getByRole('link', { name: 'Show' }).click();
        await page.ready();
        await page.to('#/handlers?handler=trials.it');
        assert.match(await page.locator('main').innerText(), /trial/);
        await page.getByRole('button', { name: 'Release trials.it' }).click();
        await page.getByLabel('Reason').fill('repaired');
        await page.locator('dialog').getByRole('button', { name: 'Release' }).click();
        await eventually(async () => (await sql(`select circuit_state from postrider.handlers where handler = 'trials.it'`)) === 'closed', 'it is released');
        await page.getByRole('button', { name: 'Release trials.it' }).waitFor({ state: 'detached' });
        await page.end();
    });

    it('pauses_a_consumer_says_so_on_the_overview_and_resumes_it', async () => {
        await worker('pausing', 'pausing.it');
        const paused = () => sql(`select paused from postrider.consumers where consumer = 'pausing'`);
        const page = await stage.page();
        await page.to('#/consumers?consumer=pausing');
        await page.keyboard.press('j');
        await page.keyboard.press('p');
        await page.getByLabel('Reason').fill('deploy');
        await page.locator('dialog').getByRole('button', { name: 'Pause' }).click();
        await eventually(async () => (await paused()) === 't', 'it is paused');
        await page.to('#/');
        await page.locator('.health li', { hasText: 'pausing' }).getByRole('link', { name: 'Resume' }).click();
        await page.ready();
        await page.getByRole('button', { name: 'Resume pausing' }).click();
        await page.getByLabel('Reason').fill('deployed');
        await page.locator('dialog').getByRole('button', { name: 'Resume' }).click();
        await eventually(async () => (await paused()) === 'f', 'it is resumed');
        await page.end();
    });

    it('follows_a_message_by_id_key_trace_and_type', async () => {
        await worker('follow', 'follow.it');
        const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
        const id = await sql(`select postrider.publish('follow.me', '{}', p_channel => 'follow', p_source => 'shop',
            p_idempotency_key => 'order 42 / placed', p_trace_context => '00-${trace}-00f067aa0ba902b7-01')`);
        const page = await stage.page();
        for (const word of [id, 'order 42 / placed', trace, 'follow.me', 'follow.*']) {
            await page.to('#/messages?channel=follow');
            await page.getByLabel('Id, key, trace or type').fill(word);
            await page.keyboard.press('Enter');
            await page.waitForURL(/q=/);
            await page.ready();
            assert.equal(await page.getByRole('table', { name: 'Messages' }).locator('tbody tr').count(), 1, word);
        }
        await page.getByRole('link', { name: id }).click();
        await page.ready();
        const text = await page.locator('main').innerText();
        assert.match(text, /follow\.it/);
        assert.match(text, /queued/);
        await page.getByRole('link', { name: 'messages of this trace' }).click();
        await page.ready();
        assert.equal(await page.getByRole('link', { name: id }).count(), 1);
        await page.end();
    });

    it('cancels_a_job_that_waits_and_offers_it_no_more', async () => {
        await worker('drop', 'drop.it');
        const id = await sql(`select postrider.publish('drop.me', '{}', p_channel => 'drop', p_available_at => now() + interval '1 hour')`);
        const page = await stage.page({ width: 360, height: 740 });
        await page.to(`#/messages/${id}`);
        await page.getByRole('button', { name: 'Cancel …' }).click();
        await page.shoot('cancel-360');
        await page.getByLabel('Reason').fill('ordered twice');
        await page.locator('dialog').getByRole('button', { name: 'Cancel the job' }).click();
        await page.getByText('The job is cancelled.').waitFor();
        await page.locator('main').getByText('cancelled').first().waitFor();
        assert.equal(await page.getByRole('button', { name: 'Cancel …' }).count(), 0);
        assert.equal(await sql(`select reason from postrider.audit where action = 'cancel' order by at desc limit 1`), 'ordered twice');
        await page.end();
    });

    it('shows_pending_retries_with_their_errors', async () => {
        const retry = await worker('retrying', 'retrying.it', { max_attempts: 5, retry: { curve: 'fixed', base_ms: 600000, cap_ms: 600000 } });
        await sql(`select postrider.publish('retry.me', '{}', p_channel => 'retrying') \\g /dev/null
            select count(postrider.settle('${retry.id}', c.lease_id, c.lease_token, p_failures => jsonb_build_array(jsonb_build_object(
                'seq', c.seq, 'handler', 'retrying.it', 'outcome', 'transient', 'error_class', 'timeout', 'error', 'slow today'))))
            from postrider.claim('${retry.id}', 1) c;`);
        const page = await stage.page();
        await page.to('#/consumers?consumer=retrying');
        await page.getByRole('row', { name: /retrying/ }).getByRole('link', { name: '1' }).first().click();
        await page.waitForURL(/#\/deliveries/);
        await page.ready();
        assert.match(await page.locator('main tbody').innerText(), /1 of 5[\s\S]*slow today/);
        await page.end();
    });

    it('shows_targets_and_event_types_that_match_nothing', async () => {
        await worker('matching', 'matching.it');
        await sql(`select postrider.publish('match.me', '{}', p_channel => 'matching', p_target => 'matchin') \\g /dev/null`);
        const page = await stage.page();
        await page.to('#/handlers');
        await page.getByRole('link', { name: 'Targets and event types that match nothing' }).click();
        await page.waitForURL(/#\/unmatched/);
        await page.ready();
        const row = page.getByRole('row', { name: /matchin .*on matching/ });
        assert.match(await row.innerText(), /Target without a consumer[\s\S]*matching/);
        await page.end();
    });

    it('shows_workers_leases_retention_alerts_and_the_audit', async () => {
        const busy = await worker('busy', 'busy.it');
        await sql(`select postrider.publish('busy.now', '{}', p_channel => 'busy') \\g /dev/null
                   select count(*) from postrider.claim('${busy.id}', 10);`);
        const page = await stage.page();
        await page.to('#/workers?consumer=busy');
        assert.match(await page.locator('main').innerText(), new RegExp(busy.id));
        await page.to('#/leases?consumer=busy');
        assert.match(await page.locator('main').innerText(), /first attempts/);
        await page.to('#/retention');
        assert.match(await page.locator('main').innerText(), /dead letter\s/);
        await page.to('#/alerts');
        assert.equal(await page.locator('main tbody tr').count() > 0, true);
        await page.to('#/audits');
        assert.match(await page.locator('main').innerText(), /hold_handler/);
        await page.end();
    });
}
