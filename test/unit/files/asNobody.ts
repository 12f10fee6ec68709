const NOBODY = 65_534;

/** Runs something without root's right to do everything, where the tests run as root. */
export async function asNobody(work: () => Promise<void>): Promise<void> {
	if (process.geteuid?.() !== 0) {
		await work();
		return;
	}
	process.setegid?.(NOBODY);
	process.seteuid?.(NOBODY);
	try {
		await work();
	} finally {
		process.seteuid?.(0);
		process.setegid?.(0);
	}
}
