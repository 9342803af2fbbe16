/** Spellings, in URLs, of addresses outside the public internet. */
export const HIDDEN_HOSTS = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '2130706433', // decimal
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1', // octal
  '017700000001',
  '①②⑦.0.0.1', // digits that are normalised
  '%31%32%37.0.0.1',
  'localhost',
  'LOCALHOST',
  '0.0.0.0',
  '0',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]', // IPv4-mapped
  '[::ffff:7f00:1]',
  '[::127.0.0.1]', // IPv4-compatible
  '[64:ff9b::127.0.0.1]', // NAT64
  '[64:ff9b:1::7f00:1]', // local NAT64 prefix
  '[2002:7f00:1::]', // 6to4
  '[2001:0:4136:e378:8000:63bf:80ff:fffe]', // Teredo
  '[fe80::1]', // link-local
  '[fc00::1]', // unique local
  '[fd00:ec2::254]', // metadata of a cloud
  '[ff02::1]', // multicast
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1', // carrier-grade NAT
  '100.100.100.200', // metadata of a cloud
  '169.254.169.254', // metadata of a cloud
  '0xa9fea9fe',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
] as const

/** Addresses outside the public internet, to which a name can resolve. */
export const HIDDEN_ADDRESSES = [
  '127.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '192.168.1.1',
  '::',
  '::1',
  '::ffff:7f00:1',
  '::7f00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:0:4136:e378:8000:63bf:80ff:fffe',
  'fe80::1',
  'fd00::1',
] as const
