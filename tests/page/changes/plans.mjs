// Changes that show their effect before a reason is given: limits, moving a consumer, cancelling jobs and unique keys.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { quote, sql, worker } from '../stage.mjs';

/** Some keys that jobs hold: of a job that waits and, for a period, of one that has ended. */
export async function uniqueJobs(consumer) {
    const once = await worker(consumer, `${consumer}.it`);
    await sql(`select id from postrider.publish_unique('page.reindex', :'c', 'period:' || :'c', 'period', p_period => '1 day', p_channel => :'c') \\g /dev/null
        select postrider.settle('${once.id}', lease_id, lease_token) from postrider.exchange_waiting('${once.id}', 10) group by lease_id, lease_token \\g /dev/null
        select id from postrider.publish_unique('page.reindex', :'c', 'page:' || :'c', p_channel => :'c') \\g /dev/null`, { c: consumer });
    return once;
}

const audits = (action, channel) => sql(`select string_agg(reason, ', ' order by audit) from postrider.audits
    where action = ${quote(action)} and filter ->> 'channel' = ${quote(channel)}`);
const dialog = (page) => page.locator('dialog');
const press = (page, name) => dialog(page).getByRole('button', { name, exact: true }).click();
const closed = (page) => dialog(page).waitFor({ state: 'detached' });

async function confirm(page, action, reason) {
    await page.getByLabel('Reason').fill(reason);
    await press(page, action);
    await closed(page);
}

function limiting(stage) {
    it('limits_a_handler_after_its_effect_was_shown_and_removes_the_limit', async () => {
        const bank = await worker('bank', 'bank.it');
        const limit = () => sql(`select definition from postrider.limits where handler = 'bank.it'`);
        await sql(`select count(postrider.publish('order.placed', '{}', p_channel => 'bank')) from generate_series(1, 5);`);
        const page = await stage.page();
        page.expectsFailures = true;
        await page.to('#/handlers/bank/bank.it?channel=bank');
        await page.getByRole('button', { name: 'Limit …' }).click();
        await press(page, 'Show the effect');
        await dialog(page).getByText('a limit must be a JSON object that is not empty').waitFor();
        await page.getByLabel('Runs at once', { exact: true }).fill('2');
        await page.getByLabel('Starts per period', { exact: false }).first().fill('100 / 1 min');
        await press(page, 'Show the effect');
        await dialog(page).getByText('Messages beyond the limit wait').waitFor();
        assert.match(await dialog(page).innerText(), /Now\s+no limit\s+Then\s+2 runs at once\s+100 starts in 1 min/);
        assert.equal(await limit(), '', 'nothing happens before the reason');
        await confirm(page, 'Set the limit', 'the bank allows two');
        await page.getByText('The limit of bank.it is created.').waitFor();
        assert.equal(await limit(), '{"rate": {"burst": 100, "period": "00:01:00", "starts": 100}, "concurrency": 2}');
        assert.equal(await sql(`select count(*) from postrider.claim('${bank.id}', 10)`), '2');

        await page.to('#/limits?consumer=bank');
        await page.getByRole('button', { name: 'Change the limit of bank.it' }).click();
        assert.equal(await page.getByLabel('Runs at once', { exact: true }).inputValue(), '2', 'as it is now');
        await page.getByLabel('Runs at once', { exact: true }).fill('1');
        await press(page, 'Show the effect');
        await dialog(page).getByText('Limit bank.it?').waitFor();
        assert.match(await dialog(page).innerText(), /Now\s+2 runs at once[\s\S]*Then\s+1 run at once[\s\S]*Throttled\s+3 messages/);
        await confirm(page, 'Set the limit', 'one is enough');
        assert.match(await limit(), /"concurrency": 1}/);
        await page.getByRole('button', { name: 'Remove the limit of bank.it' }).click();
        await dialog(page).getByText('3 messages that wait for it can start at once.').waitFor();
        await confirm(page, 'Remove the limit', 'a larger bank');
        await page.getByText('No limits.').waitFor();
        assert.equal(await limit(), '');
        assert.equal(await audits('set_limit', 'bank'), 'the bank allows two, one is enough');
        assert.equal(await audits('remove_limit', 'bank'), 'a larger bank');
        await page.end();
    });

    it('limits_by_key_with_weights_and_says_when_no_worker_reaches_a_limit', async () => {
        const fair = await worker('fair', 'fair.it');
        await sql(`update postrider.worker set threads = 4 where id = '${fair.id}'`);
        const page = await stage.page({ width: 360, height: 740, link: await stage.tokenLink('operator') });
        await page.to('#/handlers/fair/fair.it?channel=fair');
        await page.getByRole('button', { name: 'Limit …' }).click();
        await page.getByLabel('Runs at once', { exact: true }).fill('50');
        await press(page, 'Show the effect');
        await dialog(page).getByText('too few threads to reach it').waitFor();
        await press(page, 'Cancel');
        await closed(page);
        await page.getByRole('button', { name: 'Limit …' }).click();
        await dialog(page).getByText('By key of the message').click();
        await dialog(page).locator('select[name="key"]').selectOption('source');
        await page.getByLabel('Runs per key').fill('2');
        await page.getByLabel('Weights').fill('shop=3\nmail = 2');
        await page.shoot('limit-dialog-360');
        await press(page, 'Show the effect');
        await dialog(page).getByText('turns by weight: shop 3, mail 2').waitFor();
        await page.shoot('limit-effect-360');
        await confirm(page, 'Set the limit', 'fair shares');
        assert.equal(await sql(`select definition from postrider.limits where handler = 'fair.it'`),
            '{"key": "source", "per_key": 2, "weights": {"mail": 2, "shop": 3}}');
        await page.end();
    });
}

function moving(stage) {
    it('moves_a_consumer_to_the_instant_that_it_has_shown', async () => {
        const seeker = await worker('seeker', 'seeker.it');
        await sql(`select count(postrider.publish('order.placed', '{}', p_channel => 'seeker')) from generate_series(1, 3);`);
        const page = await stage.page({ width: 360, height: 740 });
        page.expectsFailures = true;
        await page.to('#/consumers?consumer=seeker');
        await page.getByRole('button', { name: 'Seek seeker' }).click();
        await page.getByLabel('Instant, or age').fill('noon');
        await press(page, 'Show the effect');
        await dialog(page).getByText(/noon/).waitFor();
        await page.getByLabel('Instant, or age').fill('');
        await press(page, 'Show the effect');
        await dialog(page).getByText('3 messages: never delivered').waitFor();
        await page.shoot('move-effect-360');
        await sql(`select postrider.publish('order.placed', '{}', p_channel => 'seeker') \\g /dev/null`);
        await confirm(page, 'Seek', 'old values');
        await page.getByText('seeker is moved: 3 skipped, 0 delivered again.').waitFor();
        assert.equal(await sql(`select count(*) from postrider.claim('${seeker.id}', 10)`), '1', 'the one that came after the preview');
        assert.equal(await audits('seek_consumer', 'seeker'), 'old values');
        await page.end();
    });
}

function cancelling(stage) {
    it('cancels_the_jobs_of_a_handler_by_type_and_leaves_the_others', async () => {
        const letters = await worker('letters', 'letters.it');
        await sql(`select count(postrider.publish(t, '{}', p_channel => 'letters')) from unnest('{newsletter,newsletter,invoice}'::text[]) t;`);
        const page = await stage.page();
        page.expectsFailures = true;
        await page.to('#/handlers/letters/letters.it?channel=letters');
        await page.getByRole('button', { name: 'Cancel jobs …' }).click();
        await page.getByLabel('Event type').fill('postcard');
        await press(page, 'Show the effect');
        await dialog(page).getByText('no such job waits or runs').waitFor();
        await page.getByLabel('Event type').fill('newsletter');
        await press(page, 'Show the effect');
        await dialog(page).getByText('Cancel 2 jobs?').waitFor();
        await confirm(page, 'Cancel 2 jobs', 'wrong text');
        await page.getByText('2 jobs cancelled.').waitFor();
        assert.equal(await sql(`select string_agg(event_type, ',') from postrider.claim('${letters.id}', 10)`), 'invoice');
        assert.equal(await audits('cancel', 'letters'), 'wrong text');
        await page.end();
    });

    it('cancels_the_job_of_a_unique_key_and_frees_one_whose_job_has_ended', async () => {
        await uniqueJobs('once');
        const keys = () => sql(`select coalesce(string_agg(key, ' ' order by key), '') from postrider.unique_keys where channel = 'once'`);
        assert.equal(await keys(), 'page:once period:once');
        const page = await stage.page({ width: 360, height: 740, link: await stage.tokenLink('operator') });
        await page.to('#/unique-keys');
        await page.getByRole('button', { name: 'Cancel the job of page:once' }).click();
        await dialog(page).getByText('Cancel the job of this key?').waitFor();
        await page.shoot('unique-cancel-360');
        await confirm(page, 'Cancel the job', 'page deleted');
        assert.equal(await keys(), 'period:once');
        await page.getByRole('button', { name: 'Cancel the job of period:once' }).click();
        await dialog(page).getByText('Free this key?').waitFor();
        await confirm(page, 'Free the key', 'taken by mistake');
        assert.equal(await keys(), '');
        await page.end();
    });
}

export function plans(stage) {
    limiting(stage);
    moving(stage);
    cancelling(stage);

    it('offers_none_of_these_to_a_viewer', async () => {
        await uniqueJobs('looked');
        await sql(`select postrider.set_limit('looked', 'looked.it', '{"concurrency": 1}', 'ann', 'a test', 'looked')`);
        const page = await stage.page({ link: await stage.tokenLink('viewer') });
        for (const hash of ['#/limits?consumer=looked', '#/consumers?consumer=looked', '#/unique-keys', '#/handlers/looked/looked.it?channel=looked']) {
            await page.to(hash);
            await page.locator('main').getByText('looked').first().waitFor();
            assert.equal(await page.locator('main').getByRole('button', { name: /Limit|Change|Remove|Seek|Cancel/ }).count(), 0, hash);
        }
        await page.end();
    });
}
