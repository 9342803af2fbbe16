import { load } from '@fingerprintjs/botd'
import fpscanner from 'fpscanner'

/**
 * The types describe the CommonJS build; the bundler uses the ES module, whose default export is the
 * class.
 */
const FingerprintScanner = fpscanner as unknown as typeof fpscanner.default

export interface PeerVerdicts {
  botd: { bot: boolean; kind?: string } | { error: string }
  /** Names of all detections that fired. */
  fpscanner: { detected: string[] } | { error: string }
}

/** Calls the peers one after the other, so that they do not disturb each other. */
export const askPeers = async (): Promise<PeerVerdicts> => ({
  botd: await orError(askBotd),
  fpscanner: await orError(askFpscanner),
})

async function askBotd() {
  const detector = await load({ monitoring: false })
  const result = await detector.detect()
  return result.bot ? { bot: true, kind: result.botKind } : { bot: false }
}

async function askFpscanner() {
  const result = await new FingerprintScanner().collectFingerprint({ encrypt: false })
  if (typeof result === 'string') throw new Error('fpscanner answered with text')
  const details = Object.entries(result.fastBotDetectionDetails)
  return { detected: details.filter(([, rule]) => rule.detected).map(([name]) => name) }
}

async function orError<Value>(ask: () => Promise<Value>): Promise<Value | { error: string }> {
  try {
    return await ask()
  } catch (error) {
    return { error: String(error) }
  }
}
