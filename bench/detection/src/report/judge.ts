import type { InklingVerdict } from '../inkling-verdict.ts'
import type { Measured } from '../measure-run.ts'

/** Detections of fpscanner that fire on a plain browser of this environment; the raw column has them all. */
const ENVIRONMENTAL: ReadonlySet<string> = new Set([
  'hasUTCTimezone',
  'hasMismatchWebGLInWorker',
  'hasSwiftshaderRenderer',
])

/** Each detector's answer on one run; undefined where it gave none. */
export interface Judgement {
  /** Inkling raised `browser_automation` or `anti_detect_browser` by the end of the visit. */
  flagged: boolean
  /** It had done so without any input. */
  flaggedAtLoad: boolean
  antidetect: boolean
  /** What each verdict of the visit says. */
  incognito: readonly boolean[]
  score: number
  /** Names of all signals that added points or told something. */
  signals: string[]
  botd: boolean | undefined
  fpscanner: boolean | undefined
  fpscannerRaw: boolean | undefined
}

const isFlagged = ({ automation, antidetect }: InklingVerdict): boolean => automation || antidetect

export function judge({ load, action, botd, fpscanner }: Measured): Judgement {
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
  }
}
