import { load } from '@fingerprintjs/fingerprintjs'

/** From import to the visitor's fingerprint as its documentation shows, without sending anything. */
export async function run(): Promise<void> {
  const agent = await load({ monitoring: false })
  await agent.get()
}
