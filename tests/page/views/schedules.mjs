import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually, sql } from '../stage.mjs';

export async function nightly(name) {
    await sql(`select postrider.define_schedule('${name}', '{"cron": "0 3 * * *", "time_zone": "Europe/Berlin", "message": {"event_type": "report.due"}}');`);
}

export function schedules(stage) {
    it('shows_schedules_pauses_resumes_and_runs_them', async () => {
        await nightly('nightly.report');
        const paused = () => sql(`select paused from postrider.schedules where schedule = 'nightly.report'`);
        const page = await stage.page({ link: await stage.tokenLink('operator') });
        await page.keyboard.press('g');
        await page.keyboard.press('s');
        await page.ready();
        const row = page.getByRole('table', { name: 'Schedules' }).locator('tr', { hasText: 'nightly.report' });
        assert.match(await row.innerText(), /report\.due[\s\S]*0 3 \* \* \*[\s\S]*Europe\/Berlin[\s\S]*in \d+ (h|min)[\s\S]*never/);
        const change = async (button, action) => {
            await page.getByRole('button', { name: button }).click();
            await page.getByLabel('Reason').fill('a test');
            await page.locator('dialog').getByRole('button', { name: action }).click();
        };
        await change('Pause nightly.report', 'Pause');
        await eventually(async () => (await paused()) === 't', 'it is paused');
        await change('Resume nightly.report', 'Resume');
        await eventually(async () => (await paused()) === 'f', 'it is resumed');
        await change('Run now nightly.report', 'Run now');
        await page.getByRole('link', { name: 'The message' }).click();
        await page.ready();
        assert.match(page.url(), /#\/messages\/[0-9a-f-]{36}$/);
        await page.end();
    });

    it('lets_a_viewer_change_no_schedule', async () => {
        await nightly('nightly.looked_at');
        const page = await stage.page({ link: await stage.tokenLink('viewer') });
        await page.to('#/schedules');
        await page.getByText('nightly.looked_at').waitFor();
        assert.equal(await page.getByRole('button', { name: /nightly/ }).count(), 0);
        await page.end();
    });
}
