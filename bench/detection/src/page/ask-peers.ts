import { load } from '@fingerprintjs/botd'
import fingerprinter from 'fingerprinter-js'
import fpscanner from 'fpscanner'
import { detectHeadless } from 'headless-detector'

/**
 * The types describe the CommonJS build; the bundler uses the ES module, whose default export is the
 * class.
 */
const FingerprintScanner = fpscanner as unknown as typeof fpscanner.default
const Fingerprinter = fingerprinter as unknown as typeof fingerprinter.default

export interface PeerVerdicts {
  botd: { bot: boolean; kind?: string } | { error: string }
  /** Names of all detections that fired. */
  fpscanner: { detected: string[] } | { error: string }
  /** Its score, from 0 to 1. */
  headlessDetector?: { score: number } | { error: string }
  /** Its level, from its score of suspicion. */
  fingerprinter?: { risk: string } | { error: string }
}

/** Calls the peers one after the other, so that they do not disturb each other. */
export const askPeers = async (): Promise<PeerVerdicts> => ({
  botd: await orError(askBotd),
  fpscanner: await orError(askFpscanner),
  headlessDetector: await orError(askHeadlessDetector),
  fingerprinter: await orError(askFingerprinter),
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

async function askHeadlessDetector() {
  const { isHeadless } = await detectHeadless()
  return { score: isHeadless }
}

async function askFingerprinter() {
  const { suspectAnalysis } = await Fingerprinter.generate({ includeSuspectAnalysis: true })
  if (!suspectAnalysis) throw new Error('fingerprinter-js analysed nothing')
  return { risk: suspectAnalysis.riskLevel }
}

const LIMIT_MS = 6_000

async function orError<Value>(ask: () => Promise<Value>): Promise<Value | { error: string }> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer in time')), LIMIT_MS)
  })
  try {
    return await Promise.race([ask(), late])
  } catch (error) {
    return { error: String(error) }
  }
}
