import { load } from '@fingerprintjs/fingerprintjs'

/** From nothing to the visitor's fingerprint, as the manual shows it, and without telling anybody. */
export async function run(): Promise<void> {
  const agent = await load({ monitoring: false })
  await agent.get()
}
