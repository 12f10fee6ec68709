import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DEFAULT_ALLOWLIST, defaultHostFilter, HostFilter } from '../../../src/egress/hostFilter.ts';
import { formatAuthority, parseAuthority, parseHost } from '../../../src/egress/hostName.ts';
import { parsePattern } from '../../../src/egress/hostPattern.ts';
import { FILTER_CORPUS, INVALID_PATTERNS } from './hostFilter.corpus.ts';

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/);
const name = fc
	.array(label, { minLength: 1, maxLength: 4 })
	.map((labels) => [...labels, 'example'].join('.'))
	.filter((text) => parseHost(text)?.host === text);
const port = fc.constantFrom(22, 80, 443, 8443);

describe('HostFilter', () => {
	for (const { name: list, allow, deny, rows } of FILTER_CORPUS) {
		it(`follows the corpus: ${list}`, () => {
			const filter = new HostFilter({ allow, ...(deny === undefined ? {} : { deny }) });
			assert.deepEqual(filter.invalid, []);
			const got = rows.map(([host, hostPort]) => [host, hostPort, filter.check(host, hostPort).verdict]);
			assert.deepEqual(got, rows);
		});
	}

	it('has a corpus worth the name', () => {
		assert.ok(FILTER_CORPUS.flatMap(({ rows }) => rows).length >= 80);
	});

	it('says which rule decided, and what was missing', () => {
		const filter = new HostFilter({ allow: ['*.a.example', 'b.example'], deny: ['evil.example'] });
		assert.deepEqual(filter.check('x.a.example', 443), { verdict: 'allow', rule: '*.a.example', local: false });
		assert.deepEqual(filter.check('evil.example', 1), { verdict: 'deny', rule: 'deny rule evil.example' });
		assert.equal(filter.check('c.example', 443).rule, 'not in the allowlist');
		assert.equal(filter.check('b.example', 25).rule, 'port 25 is not allowed for b.example');
	});

	it('takes only rules that mean it as leave for local addresses', () => {
		const filter = new HostFilter({
			allow: ['git.corp.example', 'local:wiki.corp.example:8080', 'localhost:3000', '*.example', '10.0.0.1'],
		});
		const isLocal = (host: string, hostPort: number) => {
			const verdict = filter.check(host, hostPort);
			return verdict.verdict === 'allow' && verdict.local;
		};
		assert.equal(isLocal('git.corp.example', 443), false);
		assert.equal(isLocal('x.example', 443), false);
		assert.equal(isLocal('wiki.corp.example', 8080), true);
		assert.equal(isLocal('localhost', 3000), true);
		assert.equal(isLocal('10.0.0.1', 443), true);
	});

	it('keeps the valid lines of a list with an invalid one, and names that', () => {
		const filter = new HostFilter({ allow: ['good.example', 'ba*d.example'] });
		assert.equal(filter.check('good.example', 443).verdict, 'allow');
		assert.equal(filter.invalid.length, 1);
		assert.equal(filter.invalid[0]?.text, 'ba*d.example');
	});

	it('parses the default list once', () => {
		assert.equal(defaultHostFilter(), defaultHostFilter());
		assert.deepEqual(defaultHostFilter().invalid, []);
	});

	it('allows no host outside its patterns (property)', () => {
		const filter = new HostFilter({ allow: DEFAULT_ALLOWLIST });
		const listed = (host: string) =>
			DEFAULT_ALLOWLIST.some((pattern) =>
				pattern.startsWith('*.')
					? host.endsWith(pattern.slice(1)) &&
						!host.slice(0, 1 - pattern.length).includes('.') &&
						host.length >= pattern.length
					: host === pattern,
			);
		const near = fc
			.tuple(fc.constantFrom(...DEFAULT_ALLOWLIST), fc.string({ maxLength: 3, unit: 'binary' }), fc.nat(30))
			.map(([pattern, insert, at]) => pattern.slice(0, at) + insert + pattern.slice(at));
		fc.assert(
			fc.property(fc.oneof(near, name, fc.string(), fc.webAuthority()), port, (host, hostPort) => {
				const { verdict } = filter.check(host, hostPort);
				if (verdict === 'allow') {
					assert.ok(listed(parseHost(host)!.host), host);
				}
			}),
			{ numRuns: 2_000 },
		);
	});

	it('lets deny beat allow whatever else is listed (property)', () => {
		fc.assert(
			fc.property(name, fc.array(name), port, (host, others, hostPort) => {
				const filter = new HostFilter({ allow: [...others, host, `*.${host}`], deny: [host, `*.${host}`] });
				assert.equal(filter.check(host, hostPort).verdict, 'deny');
				assert.equal(filter.check(`x.${host}`, hostPort).verdict, 'deny');
			}),
		);
	});
});

describe('parseHost', () => {
	it('is idempotent (property)', () => {
		const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.domain(), fc.ipV4Extended(), fc.ipV6(), fc.string());
		fc.assert(
			fc.property(text, (host) => {
				const once = parseHost(host);
				if (once !== undefined) {
					assert.deepEqual(parseHost(once.host), once);
					assert.match(once.host, /^[a-z0-9._:-]+$/);
				}
			}),
			{ numRuns: 2_000 },
		);
	});

	it('does not care about case or a trailing dot (property)', () => {
		fc.assert(
			fc.property(name, (host) => {
				assert.deepEqual(parseHost(`${host.toUpperCase()}.`), parseHost(host));
			}),
		);
	});
});

describe('parseAuthority', () => {
	it('reads back what formatAuthority writes (property)', () => {
		fc.assert(
			fc.property(fc.oneof(name, fc.ipV4(), fc.ipV6()), fc.integer({ min: 1, max: 65_535 }), (text, hostPort) => {
				const host = parseHost(text)!;
				assert.deepEqual(parseAuthority(formatAuthority(host.host, hostPort)), { host, port: hostPort });
			}),
		);
	});

	for (const text of [
		'',
		':443',
		'a',
		'a:',
		'a:0',
		'a:65536',
		'a:+1',
		'a:1:2',
		'::1:443',
		'[::1]',
		'[::1]x:1',
		'a b:1',
		'u@a:1',
		'a:443 ',
	]) {
		it(`refuses ${JSON.stringify(text)}`, () => assert.equal(parseAuthority(text), undefined));
	}
});

describe('parsePattern', () => {
	for (const [text, reason] of INVALID_PATTERNS) {
		it(`refuses ${JSON.stringify(text)} with a reason`, () => {
			const pattern = parsePattern(text);
			assert.ok('reason' in pattern);
			assert.match(pattern.reason, reason);
		});
	}

	it('takes a host that is named "local" for a host', () => {
		assert.deepEqual(parsePattern('local:8443'), {
			text: 'local:8443',
			kind: 'exact',
			host: 'local',
			port: 8443,
			local: false,
		});
	});
});
