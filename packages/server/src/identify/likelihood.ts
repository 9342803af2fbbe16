import type { DeviceProfile } from '../visit/known-device.ts'
import { agrees, type Change, type Comparison } from './compare.ts'
import { type ComponentName, type Components, isPhone } from './components.ts'
import { type Context, GROUP_NAMES, GROUPS, type GroupName } from './keys.ts'
import type { LinkWeights } from './weights.ts'

interface Seen {
  comparison: Comparison
  profile: DeviceProfile
  components: Components
}

/**
 * The probability that a device looks like this when it comes back.
 * @param differing groups of components that do not agree
 * @param context what the agreement is counted by, which is then no coincidence to be explained
 */
export function likelihood(
  seen: Seen,
  differing: readonly GroupName[],
  context: Context,
  weights: LinkWeights,
): number {
  const { comparison } = seen
  return (
    differing.reduce((product, group) => product * groupRate(group, seen, weights), 1) *
    contextRate(context, comparison, weights) *
    versionRate(comparison, weights) *
    engineRate(comparison, weights) *
    recencyRate(comparison, weights)
  )
}

/**
 * How often each difference is to be expected between two visits of one device, by the component or the version that
 * differs. What has no entry agrees, or does not tell machines apart.
 */
export function changeRates(
  seen: Seen,
  weights: LinkWeights,
): Partial<Record<ComponentName | 'version', number>> {
  const { changes, groups, version } = seen.comparison
  const ofGroups = GROUP_NAMES.filter((group) => groups[group] === 'changed').flatMap((group) => {
    // Both drawings change together, and count once.
    const first = GROUPS[group].find((name) => changes[name] === 'changed')
    return first ? [[first, groupRate(group, seen, weights)]] : []
  })
  const engine = (['limits', 'rounding'] as const).flatMap((name) =>
    changes[name] === 'changed' ? [[name, engineChange(version, weights)]] : [],
  )
  const versions = version === 'older' ? [['version', weights.versionBack]] : []
  return Object.fromEntries([...ofGroups, ...engine, ...versions])
}

/** Visits come in bursts, and a device that was silent for months rarely comes back. */
const recencyRate = ({ days }: Comparison, { burst, burstDays, silentDays }: LinkWeights): number =>
  (1 + burst * Math.exp(-days / burstDays)) / (1 + days / silentDays)

/**
 * How much likelier than on average a cookie was lost since the last visit. It is cleared or expires in days,
 * not in minutes. Soon after the last visit a new cookie is a private
 * window's, or another device's.
 */
export function lossRate(
  { isPrivate }: Components,
  { days }: Comparison,
  { lossDays, lostAtOnce, lostAtOnceOpen, lostInTime }: LinkWeights,
): number {
  const atOnce = isPrivate === false ? lostAtOnceOpen : lostAtOnce
  return atOnce + (lostInTime - atOnce) * (1 - Math.exp(-days / lossDays))
}

/** How often a group of components changes between a visit and the next one that lost its cookie. */
function groupRate(
  group: GroupName,
  { comparison, profile, components }: Seen,
  weights: LinkWeights,
): number {
  if (comparison.groups[group] === 'absent') return weights.hiddenGroup
  if (group === 'drawing')
    return comparison.version === 'newer' ? weights.drawingAfterUpdate : weights.drawingChanged
  if (group === 'screen') return isPhone(components) ? weights.phoneScreenChanged : weights.screenChanged
  if (group === 'fonts') return fontRate(profile.fonts, components.fonts, weights)
  if (group === 'gpu') return weights.gpuChanged
  return weights.machineChanged
}

/** Programs add or remove fonts; a private window may hide most of them. */
function fontRate(
  before: readonly number[] | undefined,
  now: readonly number[] | undefined,
  weights: LinkWeights,
): number {
  if (!before || !now) return weights.fontsUnknown
  const added = now.filter((font) => !before.includes(font)).length
  const removed = before.filter((font) => !now.includes(font)).length
  if (added > 0 && removed > 0) return added + removed <= 2 ? weights.fontsSwappedFew : weights.fontsSwapped
  if (removed > 0) return removed <= 10 ? weights.fontsRemovedFew : weights.fontsRemoved
  if (added <= 2) return weights.fontsAddedFew
  return added <= 12 ? weights.fontsAddedSome : weights.fontsAdded
}

function contextRate(
  context: Context,
  { locale, address, prefix }: Comparison,
  weights: LinkWeights,
): number {
  const isNear = agrees(address) || agrees(prefix)
  const place =
    context === 'address'
      ? weights.atAddress
      : context === 'prefix'
        ? weights.atPrefix
        : isNear
          ? weights.nearby
          : weights.elsewhere
  if (context === 'locale' || locale === 'absent' || agrees(locale)) return place * weights.localeKept
  return place * (context === 'address' ? weights.localeAtAddress : weights.localeChanged)
}

function versionRate({ version, days }: Comparison, weights: LinkWeights): number {
  const { updatedAtOnce, notUpdated } = weights
  const notYetUpdated = Math.exp(-days / weights.updateDays)
  if (version === 'older') return weights.versionBack
  if (version === 'newer') return updatedAtOnce + (1 - updatedAtOnce) * (1 - notYetUpdated)
  return version === 'same' ? notUpdated + (1 - notUpdated) * notYetUpdated : 1
}

/** The rest of the engine changes with its version, or not at all. */
function engineRate({ changes, version }: Comparison, weights: LinkWeights): number {
  const rate = (change: Change | undefined) => (change === 'changed' ? engineChange(version, weights) : 1)
  return rate(changes.limits) * rate(changes.rounding)
}

const engineChange = (version: Comparison['version'], weights: LinkWeights): number =>
  version === 'newer' ? weights.engineAfterUpdate : weights.engineChanged
