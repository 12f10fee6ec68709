/** A file operation that can't be done. The message names the file and the remedy, for the user and the model. */
export class FileError extends Error {
	readonly code: FileErrorCode;

	constructor(code: FileErrorCode, message: string, options: { cause?: unknown } = {}) {
		super(message, options);
		this.name = 'FileError';
		this.code = code;
	}
}

export type FileErrorCode =
	| 'missing'
	| 'exists'
	| 'directory'
	| 'special'
	| 'binary'
	| 'tooLarge'
	| 'permission'
	| 'changed'
	| 'moved'
	| 'refused'
	| 'invalid'
	| 'io';

/** @returns the error's system code (`ENOENT`), or an empty text. */
export function systemCode(error: unknown): string {
	return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Turns what the system says into words. `shown` is the path as the model and the user know it. */
export function toFileError(error: unknown, shown: string): FileError {
	if (error instanceof FileError) {
		return error;
	}
	const [code, message] = inWords(systemCode(error), shown, error);
	return new FileError(code, message, { cause: error });
}

function inWords(code: string, shown: string, error: unknown): [FileErrorCode, string] {
	switch (code) {
		case 'ENOENT':
			return ['missing', `${shown} does not exist.`];
		case 'EACCES':
		case 'EPERM':
			return ['permission', `No permission for ${shown}. The user would have to change its permissions.`];
		case 'EROFS':
			return ['permission', `${shown} is on a read-only file system.`];
		case 'EISDIR':
			return ['directory', `${shown} is a directory.`];
		case 'ENOTDIR':
			return ['invalid', `A part of the path ${shown} is a file, not a directory.`];
		case 'ELOOP':
			return ['invalid', `The symbolic links of ${shown} lead in a circle, or changed just now.`];
		case 'ENAMETOOLONG':
			return ['invalid', `The path ${shown.slice(0, 200)} is too long for the file system.`];
		case 'ENOSPC':
		case 'EDQUOT':
			return ['io', `No space is left on the disk for ${shown}. Nothing was changed.`];
		case 'ENOTEMPTY':
			return ['directory', `${shown} is not empty. To delete it with what is in it, set recursive.`];
		default:
			return ['io', `${shown}: ${error instanceof Error ? error.message : String(error)}`];
	}
}
