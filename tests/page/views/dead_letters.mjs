import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { eventually, quote, sql, worker } from '../stage.mjs';

export function deadList(stage) {
    it('goes_from_the_overview_to_one_dead_letter_and_shows_why_it_died', async () => {
        const billing = await worker('billing', 'billing.send_invoice');
        const [first] = await billing.die(['{"order": 1}', '{"order": 2}', '{"order": 3}'], 'connect to 10.0.0.1: refused', 'connection');
        const page = await stage.page();
        await eventually(async () => (await page.locator('.health').innerText()).includes('dead letter'), 'the finding');
        assert.match(await page.locator('.health h2').innerText(), /needs? attention/);
        await page.locator('.health li', { hasText: 'dead letters' }).getByRole('link').click();
        await page.ready();
        await page.shoot('groups');
        const row = page.getByRole('row', { name: /billing\.send_invoice/ });
        assert.match(await row.innerText(), /connection\s+connect to 10\.0\.0\.1: refused/);
        assert.match(await row.locator('svg').getAttribute('aria-label'), /^3 deaths over/);
        await row.getByRole('link', { name: '3 dead letters of billing.send_invoice' }).click();
        await page.ready();
        assert.equal(await page.getByRole('table', { name: 'Dead letters' }).locator('tbody tr').count(), 3);
        await page.getByRole('link', { name: first, exact: true }).click();
        await page.ready();
        assert.match(await page.locator('main').innerText(), /permanent failure, after 1 attempt/);
        assert.match(await page.locator('main').innerText(), /2 others with this fingerprint/);
        assert.match(await page.title(), new RegExp(`^Dead letter ${first}`));
        await page.shoot('dead-letter');
        await page.end();
    });

    it('shows_a_payload_only_when_asked_as_it_was_written_and_audits_the_look', async () => {
        const look = await worker('look', 'look.at');
        const [id] = await look.die(['{"big": 12345678901234567890, "one": 1.0, "name": "<b>Ann</b>", "list": [1, {}]}']);
        const page = await stage.page();
        await page.to(`#/dead-letters/${id}`);
        assert.doesNotMatch(await page.locator('main').innerText(), /12345678901234567890/);
        await page.keyboard.press('p');
        const text = page.locator('#text-payload');
        await text.waitFor();
        assert.match(await text.innerText(), /"big": 12345678901234567890,\n {4}"one": 1\.0,|"one": 1\.0/);
        assert.match(await text.innerText(), /"name": "<b>Ann<\/b>"/);
        await page.getByLabel('Find in payload').fill('ann');
        assert.equal(await text.locator('mark').innerText(), 'Ann');
        assert.equal(await page.getByText('1 found').count(), 1);
        await page.getByRole('button', { name: 'Copy payload' }).click();
        assert.match(await page.evaluate(() => navigator.clipboard.readText()), /12345678901234567890/);
        assert.equal(await sql(`select count(*) from postrider.audits where action = 'reveal' and filter::text like '%${id}%'`), '1');
        await page.end();
    });

    it('edits_a_dead_letter_with_a_diff_and_publishes_a_new_message', async () => {
        const edit = await worker('edit', 'edit.it');
        const [id] = await edit.die(['{"total": "12", "big": 12345678901234567890}'], 'total must be a number', 'payload');
        const page = await stage.page();
        await page.to(`#/dead-letters/${id}`);
        await page.keyboard.press('e');
        await page.getByRole('button', { name: 'Reveal and edit' }).click();
        const area = page.getByLabel('Payload', { exact: false }).first();
        await area.fill('{"total": 12,');
        assert.equal(await area.getAttribute('aria-invalid'), 'true');
        assert.equal(await page.getByRole('button', { name: 'Review' }).isDisabled(), true);
        await area.fill('{"total": 12, "big": 12345678901234567890}');
        await page.getByRole('button', { name: 'Review' }).click();
        assert.match(await page.locator('dialog .gone').allTextContents().then((lines) => lines.join('\n')), /"total": "12"/);
        await page.getByLabel('Reason').fill('total was a string');
        await page.shoot('edit');
        await page.getByRole('button', { name: 'Edit and replay' }).click();
        await page.waitForURL(/#\/messages\//);
        const made = /messages\/([0-9a-f-]+)/.exec(page.url())[1];
        assert.equal(await sql(`select payload from postrider.delivery where message_id = '${made}'`), '{"big": 12345678901234567890, "total": 12}');
        assert.equal(await sql(`select count(*) from postrider.dead_letters where delivery_id = ${id}`), '0');
        assert.equal(await sql(`select reason from postrider.audits where action = 'edit_and_replay' order by at desc limit 1`), 'total was a string');
        await edit.runDue(1);
        await page.getByText('delivered', { exact: true }).first().waitFor();
        await page.end();
    });

    it('discards_and_restores_the_selection', async () => {
        const waste = await worker('waste', 'waste.it');
        const ids = await waste.die(['{"n": 1}', '{"n": 2}', '{"n": 3}']);
        const dead = () => sql(`select count(*) from postrider.dead_letters where handler = 'waste.it'`);
        const page = await stage.page();
        await page.to('#/dead-letters/list?handler=waste.it');
        await page.getByLabel(`Choose ${ids[0]}`).check();
        await page.getByLabel(`Choose ${ids[1]}`).check();
        await page.getByRole('button', { name: 'Discard 2' }).click();
        await page.getByRole('button', { name: 'Discard 2 dead letters' }).click();
        assert.equal(await dead(), '3', 'nothing happens without a reason');
        await page.getByLabel('Reason').fill('test data');
        await page.getByRole('button', { name: 'Discard 2 dead letters' }).click();
        await eventually(async () => (await dead()) === '1', 'two are discarded');
        await page.getByRole('button', { name: 'Undo' }).click();
        await eventually(async () => (await dead()) === '3', 'both are back');

        await page.to(`#/dead-letters/${ids[2]}`);
        await page.keyboard.press('d');
        await page.getByLabel('Reason').fill('of no use');
        await page.getByRole('button', { name: 'Discard 1 dead letter' }).click();
        await eventually(async () => (await dead()) === '2', 'it is discarded');
        await page.to('#/dead-letters/discarded?handler=waste.it');
        assert.match(await page.locator('main').innerText(), /of no use/);
        await page.getByRole('button', { name: `Restore ${ids[2]}` }).click();
        await page.getByLabel('Reason').fill('it was of use');
        await page.getByRole('button', { name: 'Restore 1 dead letter' }).click();
        await eventually(async () => (await dead()) === '3', 'it is restored');
        assert.equal(await sql(`select string_agg(reason, ', ' order by at) from postrider.audits
            where action in ('discard', 'restore') and filter -> 'deliveries' ? '${ids[2]}'`), 'of no use, it was of use');
        await page.end();
    });

    it('shows_a_viewer_no_payload_and_no_way_to_change_anything', async () => {
        const shy = await worker('shy', 'shy.one');
        const [id] = await shy.die(['{"secret": 1}']);
        const page = await stage.page({ link: await stage.tokenLink('viewer') });
        await page.to(`#/dead-letters/${id}`);
        assert.equal(await page.getByRole('button', { name: /Replay|Discard|Reveal/ }).count(), 0);
        assert.match(await page.locator('main').innerText(), /Payloads are shown to operators/);
        await page.to('#/handlers?handler=shy.one');
        assert.equal(await page.getByRole('button', { name: /Stop|Always run/ }).count(), 0);
        await page.end();
    });

    it('shows_a_token_of_one_workspace_its_dead_letters_and_no_figures_of_the_whole', async () => {
        const ours = randomUUID();
        const shared = await worker('shared', 'shared.it');
        const [mine, other] = await shared.die(['{"n": 1}', '{"n": 2}'], undefined, undefined,
            (n) => `, p_workspace_id => ${quote(n === 0 ? ours : randomUUID())}`);
        const page = await stage.page({ link: await stage.tokenLink('operator', { more: ['--workspace', ours] }) });
        // The stream of figures is refused, and the browser writes that down.
        page.faults.length = 0;
        page.expectsFailures = true;
        assert.match(page.url(), /#\/dead-letters$/, 'not the overview');
        await page.to('#/dead-letters/list');
        assert.deepEqual(await page.locator('main tbody tr').evaluateAll((rows) => rows.map((row) => row.dataset.row)), [mine]);
        await page.to(`#/dead-letters/${other}`);
        assert.match(await page.locator('main').innerText(), /could not be shown/);
        await page.to('#/consumers?consumer=shared');
        assert.deepEqual(await page.locator('main thead th').allTextContents(), ['Consumer', 'State', 'Handlers', 'Held', 'Workers', 'Actions']);
        assert.equal(await page.getByRole('button', { name: 'Pause shared' }).count(), 0);
        await page.to('#/handlers?handler=shared.it');
        assert.equal((await page.locator('main thead th').allTextContents()).includes('Dead'), false);
        assert.match(await page.locator('#live').innerText(), /Not live/);
        await page.end();
    });
}
