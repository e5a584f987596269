// The operator's page in a real browser, against a real server and a real PostgreSQL. One browser and one server for all.
import { after, before, describe } from 'node:test';
import { deadList } from './dead_letters.mjs';
import { finding, firstLook } from './finding.mjs';
import { groups } from './groups.mjs';
import { history } from './history.mjs';
import { hostile } from './hostile.mjs';
import { keeping } from './keeping.mjs';
import { layout } from './layout.mjs';
import { overview } from './overview.mjs';
import { safety } from './safety.mjs';
import { sessions } from './sessions.mjs';
import { jsonText } from './json_text.mjs';
import { lists } from './lists.mjs';
import { live } from './live.mjs';
import { operating } from './operating.mjs';
import { places } from './places.mjs';
import { proposals } from './proposals.mjs';
import { reach } from './reach.mjs';
import { replays } from './replays.mjs';
import { schedules } from './schedules.mjs';
import { Stage } from './stage.mjs';

const stage = new Stage();

describe('page', () => {
    before(() => stage.open());
    after(() => stage.close());
    describe('first look', () => firstLook(stage));
    describe('json text', () => jsonText());
    describe('dead letters', () => deadList(stage));
    describe('safety', () => safety(stage));
    describe('replays', () => replays(stage));
    describe('operating', () => operating(stage));
    describe('proposals', () => proposals(stage));
    describe('finding', () => finding(stage));
    describe('history', () => history(stage));
    describe('groups', () => groups(stage));
    describe('keeping', () => keeping(stage));
    describe('schedules', () => schedules(stage));
    describe('places', () => places(stage));
    describe('lists', () => lists(stage));
    describe('reach', () => reach(stage));
    describe('layout', () => layout(stage));
    describe('sessions', () => sessions(stage));
    describe('overview', () => overview(stage));
    describe('hostile', () => hostile(stage));
    describe('live', () => live(stage));
});
