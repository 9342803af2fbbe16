import type { InklingVerdict } from '../inkling-verdict.ts'
import type { Measured } from '../measure-run.ts'

/**
 * Detections of fpscanner that fire on an ordinary browser in this environment; the raw column has all of
 * them.
 */
const ENVIRONMENTAL: ReadonlySet<string> = new Set([
  'hasUTCTimezone',
  'hasMismatchWebGLInWorker',
  'hasSwiftshaderRenderer',
])

/** The answer of each detector on a run; undefined if it gave none. */
export interface Judgement {
  /** Inkling raised `browser_automation` or `anti_detect_browser` by the end of the visit. */
  flagged: boolean
  /** It did so before any input. */
  flaggedAtLoad: boolean
  antidetect: boolean
  /** The verdicts of the visit. */
  incognito: readonly boolean[]
  score: number
  /** Names of all signals that added points or informed. */
  signals: string[]
  botd: boolean | undefined
  fpscanner: boolean | undefined
  fpscannerRaw: boolean | undefined
  headlessDetector: boolean | undefined
  fingerprinter: boolean | undefined
}

const isFlagged = ({ automation, antidetect }: InklingVerdict): boolean => automation || antidetect

/** Scores above it are what headless-detector calls likely. */
const LIKELY = 0.5

export function judge({
  load,
  action,
  botd,
  fpscanner,
  headlessDetector,
  fingerprinter,
}: Measured): Judgement {
  const verdicts = action ? [load, action] : [load]
  const detected = 'detected' in fpscanner ? fpscanner.detected : undefined
  return {
    flagged: verdicts.some(isFlagged),
    flaggedAtLoad: isFlagged(load),
    antidetect: verdicts.some(({ antidetect }) => antidetect),
    incognito: verdicts.map(({ incognito }) => incognito),
    score: Math.max(...verdicts.map(({ score }) => score)),
    signals: [...new Set(verdicts.flatMap(({ hits }) => hits.map(({ name }) => name)))].sort(),
    botd: 'bot' in botd ? botd.bot : undefined,
    fpscanner: detected?.some((name) => !ENVIRONMENTAL.has(name)),
    fpscannerRaw: detected && detected.length > 0,
    headlessDetector:
      headlessDetector && 'score' in headlessDetector ? headlessDetector.score > LIKELY : undefined,
    fingerprinter: fingerprinter && 'risk' in fingerprinter ? fingerprinter.risk !== 'LOW' : undefined,
  }
}
