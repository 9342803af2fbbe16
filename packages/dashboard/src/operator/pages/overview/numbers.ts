const COUNT = new Intl.NumberFormat()
const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })
const GROWTH = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
})
const POINTS = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})

export const countText = (count: number): string => COUNT.format(count)
export const shareText = (share: number): string => PERCENT.format(share)
export const growthText = (change: number): string => GROWTH.format(change)
export const pointsText = (points: number): string => POINTS.format(points)
export const scoreText = (score: number | null): string => (score === null ? 'none' : score.toFixed(1))
