import type { SaveOutcome } from '../files/index.ts';

/** What the model must know of where its text went. */
export function savedInWords({ where, wasReformatted }: SaveOutcome): string[] {
	if (where === 'unsaved') {
		return [
			'The file is open with unsaved changes: the edit was made there, and is not saved. The user must save it; commands see the old text until then.',
		];
	}
	return wasReformatted
		? ['The editor reformatted the file when it saved it: Read it again before the next edit.']
		: [];
}
