import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import { quote, sql, worker } from '../stage.mjs';

/** An agent that speaks to `postrider mcp`, for as long as it takes to call one tool. */
async function agentCalls(person, tool, parameters) {
    const mcp = spawn(process.env.POSTRIDER_PROGRAM, ['mcp', '--person', person], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: mcp.stdout })[Symbol.asyncIterator]();
    const say = (message) => mcp.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const ask = async (method, params) => {
        say({ id: 1, method, params });
        return JSON.parse((await lines.next()).value);
    };
    await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'night-watch', version: '1' } });
    say({ method: 'notifications/initialized' });
    const { result } = await ask('tools/call', { name: tool, arguments: parameters });
    mcp.stdin.end();
    assert.ok(result && !result.isError, JSON.stringify(result));
    return result.structuredContent;
}

const phase = (id) => sql(`select phase from postrider.replays where replay = ${id}`);
const dead = (handler) => sql(`select count(*) from postrider.dead_letters where handler = ${quote(handler)}`);

export function proposals(stage) {
    it('runs_a_proposal_of_an_agent_after_a_person_approves_it', async () => {
        const night = await worker('night', 'night.it');
        await night.die(['{"n": 1}', '{"n": 2}', '{"n": 3}']);
        // Made before the proposal: the server and the agent are one database user here.
        const link = await stage.tokenLink('operator', { name: 'kim@ops' });
        const { replay } = await agentCalls('nadia@shop', 'replay_dlq_event',
            { filter: { handler: 'night.it' }, canary: 1, reason: 'the release reads these' });
        const page = await stage.page({ link });
        await page.to('#/');
        await page.locator('.health li', { hasText: `Replay ${replay} by agent:night-watch for nadia@shop waits for approval` })
            .getByRole('link', { name: 'Decide' }).click();
        await page.ready();
        assert.match(await page.locator('main').innerText(), /waits for approval[\s\S]*Proposed[\s\S]*agent:night-watch for nadia@shop/);
        const items = page.getByRole('table', { name: 'Items' }).locator('tbody tr');
        assert.equal(await items.count(), 3);
        assert.match(await items.first().innerText(), /no answer from mail\.example\.com/, 'why it died');
        await page.shoot('proposal');
        await page.locator('#step-approve').click();
        await page.locator('dialog').getByRole('button', { name: 'Approve' }).click();
        assert.equal(await phase(replay), 'proposed', 'nothing happens without a reason');
        assert.equal(await dead('night.it'), '3', 'no item has moved before the approval');
        await page.getByLabel('Reason').fill('read the release notes');
        await page.locator('dialog').getByRole('button', { name: 'Approve' }).click();
        await page.locator('dialog').waitFor({ state: 'detached' });
        await night.runDue(3);
        await page.getByText('It has finished').waitFor();
        assert.match(await page.locator('#summary').innerText(), /3 delivered, 0 died again/);
        assert.match(await page.locator('main').innerText(), /Approved/);
        assert.equal(await dead('night.it'), '0');
        assert.match(await sql(`select string_agg(action || ' by ' || actor || ': ' || reason, E'\\n' order by audit) from postrider.audits
            where action in ('replay_propose', 'replay_approve')`),
        /^replay_propose by agent:night-watch for nadia@shop: the release reads these\nreplay_approve by .+@.+: read the release notes$/);
        await page.end();
    });

    it('refuses_the_approval_of_an_own_proposal', async () => {
        const own = await worker('own', 'own.it');
        await own.die(['{"n": 1}']);
        const link = await stage.tokenLink('operator', { name: 'pat@ops' });
        const another = await stage.tokenLink('operator');
        const replay = await sql(`select postrider.replay_propose('{"handler": "own.it"}', 'pat@ops', 'it was down')`);
        const page = await stage.page({ link });
        await page.to(`#/replays/${replay}`);
        assert.match(await page.locator('main').innerText(), /You have proposed it: another person has to approve it/);
        assert.equal(await page.locator('#step-approve').count(), 0);
        assert.equal(await page.locator('#step-refuse').count(), 1);
        await page.keyboard.press('a');
        assert.equal(await page.locator('dialog').count(), 0);
        // The database enforces it for requests outside the page.
        const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token');
        const answer = await fetch(`${stage.server.origin}/api/v1/replays/${replay}/approve`, { method: 'POST', body: '{"reason": "I am sure"}',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-postrider': '1' } });
        const problem = await answer.json();
        assert.equal(answer.status, 409, JSON.stringify(problem));
        assert.match(problem.detail, /pat@ops has proposed replay \d+ and cannot approve it/);
        assert.equal(await phase(replay), 'proposed');
        assert.equal(await dead('own.it'), '1');
        await page.end();

        const other = await stage.page({ link: another });
        await other.to(`#/replays/${replay}`);
        await other.keyboard.press('a');
        await other.getByLabel('Reason').fill('it is up again');
        await other.locator('dialog').getByRole('button', { name: 'Approve' }).click();
        await other.locator('dialog').waitFor({ state: 'detached' });
        await own.runDue(1);
        await other.getByText('It has finished').waitFor();
        await other.end();
    });

    it('lets_a_person_refuse_a_proposal_and_nothing_of_it_runs', async () => {
        const no = await worker('no', 'no.it');
        await no.die(['{"n": 1}']);
        const replay = await sql(`select postrider.replay_propose('{"handler": "no.it"}', 'agent:x', 'please')`);
        const page = await stage.page();
        await page.to(`#/replays/${replay}`);
        await page.locator('#step-refuse').click();
        await page.getByLabel('Reason').fill('it would die again');
        await page.locator('dialog').getByRole('button', { name: 'Refuse' }).click();
        await page.getByText('It was cancelled').waitFor();
        assert.equal(await phase(replay), 'cancelled');
        assert.equal(await dead('no.it'), '1');
        await page.end();
    });

    it('has_a_page_for_every_operation_on_dead_letters_in_sql', async () => {
        // Everything the tests above did was done with the page; what was done in SQL has other actors.
        const done = await sql(`select string_agg(distinct action, ' ' order by action) from postrider.audits
            where actor = (select actor from postrider.audits where action = 'discard' order by audit limit 1)`);
        assert.equal(done, 'cancel discard edit_and_replay hold_handler pause_consumer release_handler remove_limit replay_cancel replay_pause ' +
            'replay_resume replay_start restore resume_consumer reveal seek_consumer set_limit');
    });
}
