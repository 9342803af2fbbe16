import { readFile } from 'node:fs/promises'
import { SIGNAL_CATALOGUE, type SignalName } from '@inkling/contract'
import { z } from 'zod'
import { DEFAULT_RULES, type Rules } from '../score/rules.ts'

/** What an operator may change in a file; what it leaves out stays as it is. */
const RulesFile = z.strictObject({
  weights: z
    .partialRecord(
      z.enum(Object.keys(SIGNAL_CATALOGUE) as [SignalName, ...SignalName[]]),
      z.int().min(-100).max(100),
    )
    .default({}),
})

/** A rules file that cannot be used; an operator reads the message. */
export class RulesFileError extends Error {}

/** `{"weights": {"vpn": 25}}` over the default rules. */
export async function readRules(file: string): Promise<Rules> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new RulesFileError(`${file} cannot be read`, { cause })
  })
  let sent: unknown
  try {
    sent = JSON.parse(text)
  } catch (cause) {
    throw new RulesFileError(`${file} is not JSON`, { cause })
  }
  const { success, data, error } = RulesFile.safeParse(sent)
  if (!success)
    throw new RulesFileError(
      `${file}: ${error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`,
    )
  return { ...DEFAULT_RULES, weights: { ...DEFAULT_RULES.weights, ...data.weights } }
}
