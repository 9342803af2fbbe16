/** How decisions before and after a change agree with labels. */
export interface LabelAgreement {
  fraud: number
  legitimate: number
  before: Caught
  after: Caught
}

interface Caught {
  fraud: number
  legitimate: number
}

export const emptyAgreement = (): LabelAgreement => ({
  fraud: 0,
  legitimate: 0,
  before: { fraud: 0, legitimate: 0 },
  after: { fraud: 0, legitimate: 0 },
})

export function addLabelled(
  agreement: LabelAgreement,
  label: 'fraud' | 'legitimate',
  caught: { before: boolean; after: boolean },
): void {
  agreement[label] += 1
  if (caught.before) agreement.before[label] += 1
  if (caught.after) agreement.after[label] += 1
}

export interface ShareInterval {
  value: number
  low: number
  high: number
}

/** Of the normal distribution, for 95 %. */
const Z = 1.959964

/**
 * A share with its score interval, which stays within 0 and 1 and is honest about small numbers (E. B. Wilson, 1927,
 * https://doi.org/10.2307/2276774). Undefined for none of none.
 */
export function wilsonInterval(hits: number, of: number): ShareInterval | undefined {
  if (of === 0) return undefined
  const value = hits / of
  const scale = 1 + Z ** 2 / of
  const middle = (value + Z ** 2 / (2 * of)) / scale
  const half = (Z / scale) * Math.sqrt((value * (1 - value)) / of + Z ** 2 / (4 * of ** 2))
  // Rounding must not lead outside.
  return {
    value,
    low: Math.max(0, Math.min(value, middle - half)),
    high: Math.min(1, Math.max(value, middle + half)),
  }
}

/** Precision and recall: how much of what was caught is fraud, and how much of the fraud was caught. */
export const qualityOf = (
  { fraud }: Pick<LabelAgreement, 'fraud'>,
  caught: Caught,
): { precision: ShareInterval | undefined; recall: ShareInterval | undefined } => ({
  precision: wilsonInterval(caught.fraud, caught.fraud + caught.legitimate),
  recall: wilsonInterval(caught.fraud, fraud),
})
