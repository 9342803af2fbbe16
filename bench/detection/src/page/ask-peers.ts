import { load } from '@fingerprintjs/botd'
import fpscanner from 'fpscanner'

/** Its types are of the CommonJS form; the bundler takes the ES module, whose default is the class. */
const FingerprintScanner = fpscanner as unknown as typeof fpscanner.default

export interface PeerVerdicts {
  botd: { bot: boolean; kind?: string } | { error: string }
  /** Names of the detections that fired; all of them. */
  fpscanner: { detected: string[] } | { error: string }
}

/** Asks the peers one after the other, so that neither disturbs the other. */
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
