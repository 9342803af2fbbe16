/** By how many thousandths of all visits false merges and false splits grow or shrink. */
export type Effect = readonly [merges: number, splits: number]

/** A number that the linker decides by. */
export interface Weight {
  value: number
  meaning: string
  /** What the value rests on. */
  source: string
  /** Measured effect of half and of twice the value (a probability goes to .999 at most). */
  halved: Effect
  doubled: Effect
}

const weight = (value: number, meaning: string, source: string, halved: Effect, doubled: Effect): Weight => ({
  value,
  meaning,
  source,
  halved,
  doubled,
})

const FITTED = 'chosen on seeds 1 and 2 of bench/identity'
const CALIBRATED = 'multinomial logit over the fitted populations of bench/identity'
const JUDGED = 'judgement'
/** Shares of consecutive visits in which an attribute changed: https://github.com/tandriamil/BrFAST */
const CHANGES =
  'judgement, near the change shares of the BrFAST sample (screen .16, canvas .11, renderer .009)'

/**
 * Every number that linking rests on, with its meaning, its source and how much the result depends on it. The
 * effects are from `node bench/identity/sensitivity.ts --devices 200 --write`, which measures them on the three fitted
 * populations; two visits in a thousand are within the noise of such a run.
 */
export const LINK_WEIGHTS = {
  // When a visit is of a known device.
  mergeCost: weight(2, 'what a false merge costs, beside a false split', JUDGED, [0.71, -9.16], [-1, 5.48]),
  desktopMergeCost: weight(
    2.2,
    'the same on a desktop, where it draws in more laptops of one company',
    JUDGED,
    [7.29, -7.96],
    [-3.98, 9.07],
  ),
  splitCost: weight(1, 'what a false split costs', JUDGED, [-4.87, 14.79], [8, -17]),
  mergeConfidence: weight(
    0.97,
    'two devices become one from this probability on',
    FITTED,
    [19.08, 1.04],
    [-6.23, 0.01],
  ),
  unlistedOdds: weight(
    0.5,
    'odds of all clones together that are too many to list',
    JUDGED,
    [0, -1.35],
    [0, 1.42],
  ),
  othersMin: weight(0.002, 'expected look-alikes are never fewer', JUDGED, [0, 0], [0, 0]),

  othersHere: weight(
    0.08,
    'expected look-alikes at one address or network, such as a family with two of one phone',
    CALIBRATED,
    [0.24, -2.17],
    [-6.53, 3.28],
  ),

  // How often a component changes between a visit and the next one that lost its cookie.
  hiddenGroup: weight(0.7, 'a group of components is missing on one side', JUDGED, [0, 1.05], [0, -1.51]),
  drawingAfterUpdate: weight(0.25, 'drawing changed with a browser update', CHANGES, [0, 0.34], [0, -0.4]),
  drawingChanged: weight(0.03, 'drawing changed without one', CHANGES, [0, 0], [0, 0]),
  phoneScreenChanged: weight(0.01, 'another screen on a phone', JUDGED, [0, 0], [0, 0]),
  screenChanged: weight(0.12, 'another screen on a desktop', CHANGES, [0.24, 0.12], [0.17, 0.34]),
  gpuChanged: weight(0.01, 'another GPU', CHANGES, [0, 0], [0, 0]),
  machineChanged: weight(0.004, 'another processor, memory or model', JUDGED, [0, 0], [0, 0]),
  engineAfterUpdate: weight(0.6, 'limits or maths changed with an update', JUDGED, [0, 0], [0, 0]),
  engineChanged: weight(0.1, 'limits or maths changed without one', JUDGED, [0, 0], [0, 0]),
  fontsUnknown: weight(0.7, 'font names are missing on one side', JUDGED, [0, 0], [0, 0]),
  fontsSwappedFew: weight(0.01, 'at most two fonts added and removed', JUDGED, [0, 0], [0, 0]),
  fontsSwapped: weight(0.003, 'more fonts added and removed', JUDGED, [0, 0], [0, 0]),
  fontsRemovedFew: weight(0.015, 'at most ten fonts removed', JUDGED, [0, 0], [0, 0]),
  fontsRemoved: weight(0.03, 'more fonts removed, as in a private window', JUDGED, [0, 0], [0, 0]),
  fontsAddedFew: weight(0.06, 'one or two fonts added', FITTED, [0, 0.17], [0, 0.17]),
  fontsAddedSome: weight(0.05, 'up to twelve fonts added, as by a program', JUDGED, [0, 0], [0, 0]),
  fontsAdded: weight(0.01, 'more fonts added', JUDGED, [0, 0], [0, 0]),
  versionBack: weight(0.05, 'an older version of browser or system', JUDGED, [-0.12, -0.24], [0.71, 0.48]),
  updatedAtOnce: weight(0.3, 'a newer version right after the last visit', JUDGED, [0, -0.07], [0, -0.45]),
  notUpdated: weight(0.5, 'the same version long after the last visit', JUDGED, [-0.83, 0.89], [0, -1.03]),
  updateDays: weight(20, 'mean days between updates', JUDGED, [-0.83, 0.24], [0, -0.65]),

  // Where and when it comes back.
  burst: weight(
    3,
    'how many times likelier a visit soon after the last one is',
    JUDGED,
    [-5.08, -0.16],
    [-0.14, -1.55],
  ),
  burstDays: weight(0.1, 'mean days that such a burst lasts', JUDGED, [-1.61, 0.33], [0.24, -1.5]),
  silentDays: weight(
    45,
    'days of silence that halve the odds of a return',
    JUDGED,
    [-0.95, 0.52],
    [0, -0.65],
  ),
  atAddress: weight(
    0.5,
    'from the same address, where that is what is compared',
    JUDGED,
    [-8.91, 7.37],
    [1.82, -5.89],
  ),
  atPrefix: weight(
    0.6,
    'from the same network, where that is what is compared',
    JUDGED,
    [0, 0.75],
    [0, -1.08],
  ),
  nearby: weight(0.7, 'from a known address or network', JUDGED, [0, 0.17], [-0.71, 0]),
  elsewhere: weight(0.4, 'from another network', JUDGED, [0.11, 3.4], [-0.67, -1.22]),
  localeKept: weight(
    0.9,
    'languages and time zone as before, or not compared',
    JUDGED,
    [-9.08, 11.72],
    [0.48, -1.6],
  ),
  localeAtAddress: weight(
    0.4,
    'other languages or time zone at the same address',
    JUDGED,
    [-0.12, -0.36],
    [0, -0.12],
  ),
  localeChanged: weight(0.12, 'other languages or time zone elsewhere', JUDGED, [0, -0.12], [0, -0.05]),

  // How the facts above weigh as evidence. Fitted on the populations marked so in bench/identity/populations.ts.
  byLook: weight(3, 'odds of agreement in the look alone', CALIBRATED, [0, -0.12], [-0.67, -0.48]),
  byLocale: weight(4, 'odds of agreement in look and locale', CALIBRATED, [0.28, 3.01], [-1.03, -4.35]),
  byPrefix: weight(3, 'odds of agreement in look and network', CALIBRATED, [0, 0.87], [-0.55, -1.75]),
  byAddress: weight(8, 'odds of agreement in look and address', CALIBRATED, [-9.74, 7.45], [2.77, -6.81]),
  onAndroid: weight(1.45, 'the same on Android', CALIBRATED, [-2.02, 0.48], [0.36, -0.29]),
  onIphone: weight(0.6, 'the same on iPhones', CALIBRATED, [-1.12, 4.54], [0.24, -4.99]),
  providerKept: weight(
    3,
    'another network of a provider that the device used',
    CALIBRATED,
    [-0.24, 2.86],
    [2.85, -1.33],
  ),
  providerChanged: weight(1.15, 'a provider that it never used', CALIBRATED, [0.76, -2.6], [-1.49, 1.7]),
  lossPower: weight(
    0.71,
    'power of the rate at which cookies are lost',
    CALIBRATED,
    [1.46, -5.03],
    [-5.65, 3.37],
  ),
  othersPower: weight(
    0.61,
    'power of the number of others that look alike',
    CALIBRATED,
    [-9.26, 15.91],
    [7.94, -10.3],
  ),
  agreementPower: weight(0.8, 'power of the odds of agreement', CALIBRATED, [0.45, 5.52], [-1.85, -1.18]),
  copied: weight(
    1,
    'a look from a foreign provider without a cookie is a copy, for each time that it is the device',
    JUDGED,
    [0.76, -2.25],
    [-1.61, 0.78],
  ),
  lossDays: weight(15, 'days in which a cookie is lost', JUDGED, [0.48, -2.83], [-0.41, 3.07]),
  lostAtOnce: weight(
    0.5,
    'cookies lost at once, compared with the average',
    JUDGED,
    [-5.46, 2.39],
    [1.7, -4.02],
  ),
  lostAtOnceOpen: weight(0.15, 'the same where the window is not private', JUDGED, [0, 1.37], [0.24, -1.92]),
  lostInTime: weight(
    1.2,
    'cookies lost after months, compared with the average',
    JUDGED,
    [-1.12, 5.09],
    [0.59, -4.39],
  ),

  // Traits that tell clones apart a little.
  settingsKept: weight(
    0.95,
    'accessibility and privacy settings as before',
    JUDGED,
    [-3.88, 11.76],
    [-0.33, -1.08],
  ),
  settingsMost: weight(
    6,
    'rare settings make it so many times likelier at most',
    JUDGED,
    [0.24, 1.21],
    [0, -0.87],
  ),
  zoomKept: weight(0.85, 'page zoom as before', JUDGED, [-7.18, 8.42], [-1.13, -0.28]),
  zoomMost: weight(
    3,
    'a rare zoom makes it so many times likelier at most',
    JUDGED,
    [-1.52, 2.43],
    [0.52, -2.27],
  ),
  versionKept: weight(0.6, 'version as before', JUDGED, [-5.05, 6.12], [0.94, -3.67]),
  versionMost: weight(
    3,
    'a rare version makes it so many times likelier at most',
    JUDGED,
    [-6.12, 6.87],
    [1.95, -5.46],
  ),
  traitFloor: weight(0.05, 'a changed trait counts against it so much at most', JUDGED, [0, 0], [0, 0]),
  themeChanged: weight(0.5, 'dark where it was light', JUDGED, [-2.11, -0.05], [0.64, -0.04]),
  cookiesChanged: weight(0.3, 'keeps cookies where it did not, or the reverse', JUDGED, [0, 0], [0, 0]),
  cookieless: weight(8, 'neither visit keeps cookies, which is rare', JUDGED, [0, 0], [0, 0]),

  // How many new devices there are among visits without a known cookie.
  lostShare: weight(
    0.25,
    'at most this share of the known devices’ visits lost their cookie',
    JUDGED,
    [-5.53, 2.84],
    [0, 0],
  ),
  newForKnownMin: weight(0.05, 'new devices for each returning one, at least', JUDGED, [0, 0], [0, 0]),
  newForKnownMax: weight(50, 'new devices for each returning one, at most', JUDGED, [0, 0], [0, 0]),

  // What a domain is taken for before its traffic has taught more: keys of one device alone, and of two.
  once: weight(8, 'look of one device alone', JUDGED, [0, 0], [0, 0]),
  twice: weight(0.8, 'look of two devices', JUDGED, [0, 0], [0, 0]),
  onceLocale: weight(12, 'look and locale of one alone', JUDGED, [0, 0.46], [0, -0.51]),
  twiceLocale: weight(0.6, 'look and locale of two', JUDGED, [0, -0.63], [0, 0.29]),
  oncePrefix: weight(20, 'look and network of one alone', JUDGED, [0, 0], [0, 0]),
  twicePrefix: weight(0.5, 'look and network of two', JUDGED, [0, 0], [0, 0]),
  onceAddress: weight(20, 'look and address of one alone', JUDGED, [0, 0], [0, 0]),
  twiceAddress: weight(0.3, 'look and address of two', JUDGED, [0, 0], [0, 0]),
  clonesOnce: weight(2, 'look of one iPhone alone: all of one size are alike', JUDGED, [0, 0], [0, 0]),
  clonesTwice: weight(6, 'look of two iPhones', JUDGED, [0, 0], [0, 0]),
  clonesOnceLocale: weight(4, 'look and locale of one iPhone alone', JUDGED, [0, 0], [0, -0.61]),
  clonesTwiceLocale: weight(4, 'look and locale of two iPhones', JUDGED, [0, -0.96], [0, 0.86]),
  clonesOncePrefix: weight(12, 'look and network of one iPhone alone', JUDGED, [0, 0], [0, 0]),
  clonesTwicePrefix: weight(1.5, 'look and network of two iPhones', JUDGED, [0, 0], [0, 0]),
  clonesOnceAddress: weight(20, 'look and address of one iPhone alone', JUDGED, [0, 0], [0, 0]),
  clonesTwiceAddress: weight(0.6, 'look and address of two iPhones', JUDGED, [0, 0], [0, 0]),
} as const satisfies Record<string, Weight>

export type WeightName = keyof typeof LINK_WEIGHTS
export type LinkWeights = Readonly<Record<WeightName, number>>

/** The values alone, as the linker reads them. */
export const DEFAULT_LINK_WEIGHTS = Object.fromEntries(
  Object.entries(LINK_WEIGHTS).map(([name, { value }]) => [name, value]),
) as LinkWeights
