import assert from 'node:assert/strict';
import { replyTo, type PracticeRequest } from '../../../../src/models/practice/conversation.ts';
import { ToolBench } from '../../tools/toolBench.ts';

/** Lets the practice model work through a request with the real tools. @returns all that it said */
async function work(bench: ToolBench, message: string): Promise<string> {
	const tools = bench.runtime.definitions().map(({ name }) => ({ function: { name } }));
	const messages: PracticeRequest['messages'] = [{ role: 'user', content: message }];
	const said: string[] = [];
	for (let turn = 0; turn < 10; turn++) {
		const { text, call } = replyTo({ messages, tools });
		said.push(text);
		if (!call) {
			return said.join('\n');
		}
		const id = `c${turn}`;
		const { output } = await bench.run(call.name, call.args);
		messages.push(
			{ role: 'assistant', content: text, tool_calls: [{ id, function: { name: call.name } }] },
			{ role: 'tool', tool_call_id: id, content: output },
		);
	}
	throw new Error('It does not come to an end');
}

describe('practice model with the real tools', () => {
	for (const [message, words] of [
		['read notes.txt', /It begins with:\n\n```text\nold text\nmore\n```/],
		['read empty.txt', /I read `empty\.txt`\. .*empty/],
		['read missing.txt', /That did not work: .*missing\.txt/],
		['read notes.txt then read notes.txt', /I read `notes\.txt`[^]*I read `notes\.txt`/],
		['list', /This is what I found:[^]*notes\.txt/],
		['list nowhere', /That did not work/],
		['search for old', /This is what I found:[^]*notes\.txt:1:old text/],
		['search for zzzz', /I found nothing/],
		['search for foo( in notes.txt', /I found nothing/],
		['search x in nowhere', /That did not work/],
		['find *.txt', /This is what I found:[^]*notes\.txt/],
		['find *.zzz', /I found nothing/],
		['find *.txt in nowhere', /That did not work/],
		['create new.txt with Hello', /Created new\.txt/],
		['create notes.txt with Hello', /That did not work: .*notes\.txt/],
		['overwrite notes.txt with Hello', /Overwrote notes\.txt/],
		[
			'replace "old text" with "new text" in notes.txt',
			/I will read[^]*It begins with[^]*Edited notes\.txt: 1 replacement/,
		],
		['replace nothing-like-it with x in notes.txt', /That did not work/],
		['delete notes.txt', /Deleted notes\.txt/],
		['delete missing.txt', /That did not work: missing\.txt does not exist/],
		['plan: look, fix', /The plan has 2 todos/],
		['ask me which colour: red, green', /Thank you\. The user answers: red/],
	] as const) {
		it(`reports truly on "${message}"`, async () => {
			await using bench = new ToolBench({ answer: 'red' });
			bench.write('notes.txt', 'old text\nmore\n');
			bench.write('empty.txt', '');
			assert.match(await work(bench, message), words);
		});
	}

	it('does what it says', async () => {
		await using bench = new ToolBench();
		bench.write('a.txt', 'one two\n');
		await work(bench, 'replace two with 2 in a.txt then create b.txt with done then delete a.txt');
		assert.equal(bench.text('b.txt'), 'done\n');
		assert.throws(() => bench.text('a.txt'));
	});
});
