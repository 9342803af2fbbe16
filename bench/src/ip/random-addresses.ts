import { formatAddress, type ParsedAddress } from '../../../packages/server/src/lib/address.ts'
import { isPublicAddress } from '../../../packages/server/src/lib/address-scope.ts'
import { seededRandom } from '../lib/seeded-random.ts'

/** Uniformly random public addresses as text; IPv6 addresses are in 2000::/3. */
export function randomAddresses(count: number, family: 4 | 6, seed: number): string[] {
  const random = seededRandom(seed)
  const word = (): number => Math.floor(random() * 2 ** 32)
  const addresses: string[] = []
  while (addresses.length < count) {
    const address: ParsedAddress =
      family === 4
        ? { family, value: word() }
        : { family, words: [(0x20000000 | (word() >>> 3)) >>> 0, word(), word(), word()] }
    if (isPublicAddress(address)) addresses.push(formatAddress(address))
  }
  return addresses
}
