import assert from 'node:assert/strict';
import { AddressGuard, nonPublicKind } from '../../../src/egress/addressGuard.ts';

const PUBLIC = [
	'1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.1',
	'169.253.255.255', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.167.255.255', '192.169.0.0', '198.17.255.255',
	'198.20.0.0', '223.255.255.255', '168.63.129.15', '2606:4700::1111', '2001:4860:4860::8888', '2a00::1',
	'::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::1', '2001:200::1',
]; // prettier-ignore
const NON_PUBLIC = [
	'0.0.0.0', '0.1.2.3', '10.0.0.0', '10.255.255.255', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.255.255',
	'169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.1.1',
	'198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9', '168.63.129.16', '224.0.0.1', '239.1.1.1', '240.0.0.1',
	'255.255.255.255', '::', '::1', '::127.0.0.1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fec0::1', 'ff02::1',
	'100::1', '2001::1', '2001:db8::1', '3fff::1', '5f00::1', '64:ff9b:1::1', '::ffff:127.0.0.1', '::ffff:7f00:1',
	'::ffff:10.0.0.1', '64:ff9b::7f00:1', '64:ff9b::a00:1', '64:ff9b::169.254.169.254', '2002:7f00:1::', '2002:a00:1::5',
	'2002:c0a8:101::', 'localhost', 'not an address', '',
]; // prettier-ignore

describe('nonPublicKind', () => {
	it('takes addresses of the internet for public', () => {
		assert.deepEqual(
			PUBLIC.filter((address) => nonPublicKind(address) !== undefined),
			[],
		);
	});

	it('knows what is not, also inside of IPv4-mapped, NAT64 and 6to4 addresses', () => {
		assert.deepEqual(
			NON_PUBLIC.filter((address) => nonPublicKind(address) === undefined),
			[],
		);
	});
});

describe('AddressGuard', () => {
	it('refuses a name when one of its addresses is not public', () => {
		const refused = new AddressGuard().refuse(['1.1.1.1', '10.0.0.7']);
		assert.deepEqual(refused, { address: '10.0.0.7', kind: 'private' });
		assert.equal(new AddressGuard().refuse(['1.1.1.1', '2606:4700::1111']), undefined);
	});

	it('leaves out only what it was told to', () => {
		const guard = new AddressGuard({ exempt: ['127.0.0.1'] });
		assert.equal(guard.refuse(['127.0.0.1']), undefined);
		assert.equal(guard.refuse(['127.0.0.2'])?.kind, 'loopback');
	});
});
