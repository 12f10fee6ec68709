import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	randomIds,
	SessionManager,
	silentLogger,
	systemClock,
	type Store,
	type ToolRuntime,
} from '../../src/engine/index.ts';
import { FileTracker, noOpenDocuments, PathRules, SessionFiles, WorkspacePaths } from '../../src/files/index.ts';
import { ModelRegistry } from '../../src/models/registry.ts';
import { CommandRunner, Reaper } from '../../src/processes/index.ts';
import { memoryStore, openOwnedStore } from '../../src/storage/index.ts';
import { BashTool, SessionProcesses } from '../../src/tools/bash/index.ts';
import { createFileTools } from '../../src/tools/fileTools.ts';
import { Ripgrep } from '../../src/tools/ripgrep.ts';
import { SessionToolRuntime } from '../../src/tools/toolRuntime.ts';
import { ScriptedModel, toolCall } from '../support/scriptedModel/index.ts';

/**
 * Our own time for each step of a turn: a model that answers at once asks for a command that does nothing, STEPS times.
 * The time of the same number of bare requests and bare `bash -c true` is taken off, so that what is left is ours.
 */
const ROUNDS = 5;
const folder = mkdtempSync(join(tmpdir(), 'belay-bench-'));
const reaper = new Reaper();

function createTools(): ToolRuntime {
	const home = homedir();
	const paths = new WorkspacePaths(new PathRules({ home }), home);
	const files = new SessionFiles({ paths, tracker: new FileTracker(), documents: noOpenDocuments });
	const processes = new SessionProcesses(new CommandRunner({ reaper, spoolDirectory: folder }));
	const bash = new BashTool({ processes, paths, home, environment: process.env });
	return new SessionToolRuntime({ tools: [...createFileTools(files, new Ripgrep(undefined)), bash], processes });
}

async function turn(model: ScriptedModel, store: Store, steps: number): Promise<number> {
	model.handle(({ body }) => {
		const done = body.messages.filter(({ role }) => role === 'tool').length;
		return done < steps ? [toolCall('Bash', { command: 'true' }, { id: `call_${done}` })] : 'Done.';
	});
	const manager = new SessionManager({
		store,
		models: new ModelRegistry({ providers: [{ id: 'bench', label: 'Bench', baseUrl: model.url }], practice: false }),
		clock: systemClock,
		newId: randomIds,
		logger: silentLogger,
		place: { cwd: folder, roots: [folder], isTrusted: () => true },
		createTools,
	});
	const session = await manager.create({ providerId: 'bench', model: 'scripted', trustMode: 'safe' });
	const start = performance.now();
	await session.submit({ type: 'userTurn', text: 'go' });
	await new Promise<void>((resolve) => {
		session.listen((events) => {
			if (events.some(({ type }) => type === 'turnEnded')) {
				resolve();
			}
		});
	});
	const ms = performance.now() - start;
	await manager.suspendAll();
	return ms / steps;
}

async function bareRequests(model: ScriptedModel, count: number): Promise<number> {
	model.handle(() => [toolCall('Bash', { command: 'true' })]);
	const body = JSON.stringify({ model: 'scripted', stream: true, messages: [{ role: 'user', content: 'go' }] });
	const start = performance.now();
	for (let index = 0; index < count; index++) {
		await (await fetch(`${model.url}/chat/completions`, { method: 'POST', body })).text();
	}
	return (performance.now() - start) / count;
}

async function bareCommands(count: number): Promise<number> {
	await using runner = new CommandRunner({ reaper, spoolDirectory: folder });
	const start = performance.now();
	for (let index = 0; index < count; index++) {
		const running = await runner.start({ command: 'true', cwd: folder, env: {} });
		await running.finished;
		await running[Symbol.asyncDispose]();
	}
	return (performance.now() - start) / count;
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function medianOf(measure: () => Promise<number>): Promise<number> {
	const values: number[] = [];
	await measure();
	for (let round = 0; round < ROUNDS; round++) {
		values.push(await measure());
	}
	return median(values);
}

await using model = await ScriptedModel.start();
await using cleanUp = new AsyncDisposableStack();
cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
const { store } = await openOwnedStore({
	directory: join(folder, 'sessions'),
	isBusy: () => false,
	onTakenOver: () => undefined,
});
cleanUp.defer(() => store.close());
const inMemory = await memoryStore();
cleanUp.defer(() => inMemory.close());

const request = await medianOf(() => bareRequests(model, 50));
const command = await medianOf(() => bareCommands(50));
const rows = [];
for (const steps of [50, 500]) {
	for (const [storage, used] of [
		['on disk', store],
		['in memory', inMemory],
	] as const) {
		const total = await medianOf(() => turn(model, used, steps));
		rows.push({
			steps,
			storage,
			'ms/step': total.toFixed(2),
			'bare request': request.toFixed(2),
			'bare command': command.toFixed(2),
			'own ms/step': (total - request - command).toFixed(2),
		});
	}
}
console.table(rows);
reaper[Symbol.dispose]();
