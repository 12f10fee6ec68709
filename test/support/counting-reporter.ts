import fs from 'node:fs';
import Mocha from 'mocha';

/** Prints as mocha's spec reporter does, and writes the counts to the file that BELAY_TEST_RESULTS names. */
export default class CountingReporter extends Mocha.reporters.Spec {
	constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
		super(runner, options);
		const file = process.env['BELAY_TEST_RESULTS'];
		runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
			if (file) {
				const { passes: passed, failures: failed, pending } = this.stats;
				fs.writeFileSync(file, JSON.stringify({ passed, failed, pending }));
			}
		});
	}
}
