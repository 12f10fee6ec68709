import * as fs from 'node:fs';
import type { OpenDocument, OpenDocuments, TextSplice } from '../../../src/files/index.ts';

interface Buffered {
	text: string;
	isDirty: boolean;
	version: number;
	/** An editor has one kind of line end in a document. */
	readonly eol: string;
}

/** Editors' buffers as VS Code has them: a text, a version, and whether it is saved. Saving writes to the disk. */
export class MemoryDocuments implements OpenDocuments {
	readonly #buffers = new Map<string, Buffered>();
	/** What a formatter does when a document is saved. */
	onSave: (text: string) => string = (text) => text;
	/** Something stands in the way of saving. */
	canSave = true;

	/** Opens a file as an editor does. */
	open(path: string): void {
		const text = fs.readFileSync(path, 'utf8');
		this.#buffers.set(path, { text, isDirty: false, version: 1, eol: text.includes('\r\n') ? '\r\n' : '\n' });
	}

	/** The user types. */
	type(path: string, text: string): void {
		const buffer = this.#buffer(path);
		buffer.text = text;
		buffer.isDirty = true;
		buffer.version++;
	}

	save(path: string): void {
		const buffer = this.#buffer(path);
		buffer.text = this.onSave(buffer.text);
		buffer.isDirty = false;
		fs.writeFileSync(path, buffer.text);
	}

	get(path: string): OpenDocument | undefined {
		const buffer = this.#buffers.get(path);
		return buffer === undefined ? undefined : { ...buffer };
	}

	replace(
		path: string,
		{ start, end, text }: TextSplice,
		options: { readonly expected: number; readonly save: boolean },
	): Promise<'applied' | 'refused'> {
		const buffer = this.#buffer(path);
		if (buffer.version !== options.expected) {
			return Promise.resolve('refused');
		}
		buffer.text = buffer.text.slice(0, start) + text.replace(/\r?\n/g, buffer.eol) + buffer.text.slice(end);
		buffer.isDirty = true;
		buffer.version++;
		if (options.save && this.canSave) {
			this.save(path);
		}
		return Promise.resolve('applied');
	}

	#buffer(path: string): Buffered {
		const buffer = this.#buffers.get(path);
		if (buffer === undefined) {
			throw new Error(`${path} is not open`);
		}
		return buffer;
	}
}
