import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { CREDENTIAL_GLOBS, PathRules } from '../../../src/files/pathRules.ts';
import picomatch from 'picomatch';

const rules = new PathRules({ home: '/home/me', protectedPaths: ['/home/me/.config/Code/User'] });

const PROTECTED = [
	'.git/hooks/pre-commit', '.git/config', '.git', 'sub/.git/hooks/x', '.GIT/Hooks/x', '.git./config', '.g\u200cit/config', '.git::$INDEX_ALLOCATION/config',
	'.vscode/settings.json', '.vscode/tasks.json', 'packages/a/.vscode/launch.json', '.belay/rules.json', 'app.code-workspace', '.env', '.npmrc',
]; // prettier-ignore
const PLAIN = ['src/a.ts', '.gitignore', '.github/workflows/ci.yml', '.gitattributes', 'git/hooks/x', '.vscodeignore', 'README.md', '.env.example', '.editorconfig', 'src/.belayrc']; // prettier-ignore
const CREDENTIALS = [
	'/home/me/.ssh/id_ed25519', '/home/me/.ssh', '/home/me/.ssh/config', '/home/me/.aws/credentials', '/home/me/.config/gh/hosts.yml', '/home/me/.docker/config.json',
	'/home/me/.kube/config', '/w/.env', '/w/.env.local', '/w/.env.production', '/w/prod.env', '/w/.npmrc', '/w/.netrc', '/w/.git-credentials', '/w/.pypirc', '/w/tls/server.key', '/w/tls/server.pem',
	'/w/KEYS/ID_RSA', '/etc/shadow', '/proc/self/environ', '/proc/1/environ', '/proc/self/task/1/environ', '/etc/ssh/ssh_host_rsa_key',
]; // prettier-ignore
const NO_CREDENTIALS = [
	'/w/.env.example', '/w/.env.sample', '/w/env.ts', '/w/src/key.ts', '/w/keys.json', '/home/me/.config/other/x', '/home/me/notes.txt', '/home/you/ssh/x', '/etc/passwd', '/proc/cpuinfo',
	'/w/id_rsa.pub', '/w/environment.yml',
]; // prettier-ignore

describe('PathRules', () => {
	for (const name of PROTECTED) {
		it(`protects ${name}`, () => assert.ok(rules.isProtected(`/home/me/w/${name}`, '/home/me/w')));
	}
	for (const name of PLAIN) {
		it(`does not protect ${name}`, () => assert.ok(!rules.isProtected(`/home/me/w/${name}`, '/home/me/w')));
	}
	for (const file of CREDENTIALS) {
		it(`asks before ${file} is read`, () => assert.ok(rules.isCredential(file)));
	}
	for (const file of NO_CREDENTIALS) {
		it(`lets ${file} be read`, () => assert.ok(!rules.isCredential(file)));
	}

	it('does not count what lies above the workspace', () => {
		assert.ok(!rules.isProtected('/home/me/.vscode/extensions/mine/src/a.ts', '/home/me/.vscode/extensions/mine'));
		assert.ok(rules.isProtected('/home/me/.vscode/extensions/mine/src/a.ts', undefined));
	});

	it('protects what the host adds, and what runs at login', () => {
		assert.ok(rules.isProtected('/home/me/.config/Code/User/settings.json', '/home/me'));
		assert.ok(rules.isProtected('/home/me/.bashrc', '/home/me'));
		assert.ok(!rules.isProtected('/w/dotfiles/.bashrc', '/w'));
	});

	it('knows the home directory by its real path too', () => {
		const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'belay-home-')));
		fs.mkdirSync(path.join(base, 'real'));
		fs.symlinkSync('real', path.join(base, 'home'));
		const linked = new PathRules({ home: path.join(base, 'home') });
		fs.rmSync(base, { recursive: true });
		assert.ok(linked.isCredential(path.join(base, 'real/.ssh/id_x')));
		assert.ok(linked.isCredential(path.join(base, 'home/.ssh/id_x')));
	});

	it('has a glob for each credential file by name, so that searches leave it out', () => {
		const isLeftOut = picomatch([...CREDENTIAL_GLOBS], { nocase: true, dot: true });
		for (const file of CREDENTIALS.filter((each) => each.startsWith('/w/'))) {
			assert.ok(isLeftOut(path.basename(file)), file);
		}
	});
});
