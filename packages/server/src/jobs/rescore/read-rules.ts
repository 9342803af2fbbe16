import { readFile } from 'node:fs/promises'
import { OwnWeights } from '@inkling/contract'
import { z } from 'zod'
import type { Rules } from '../../score/rules.ts'
import { withOwnWeights } from '../../score/with-own-weights.ts'

/** What an operator may change in a file, as on the page; what it leaves out stays as it is. */
const RulesFile = z.strictObject({ weights: OwnWeights.default({}) })

/** A rules file that cannot be used; an operator reads the message. */
export class RulesFileError extends Error {}

/** `{"weights": {"vpn": 25}}` over the weights of the release. */
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
  return withOwnWeights({ version: 'file', weights: data.weights })
}
