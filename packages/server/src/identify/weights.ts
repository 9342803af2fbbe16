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
  mergeCost: weight(
    4,
    'what a false merge costs, beside a false split: it lasts as long as the cookie',
    JUDGED,
    [3.75, -7.88],
    [-1.19, 6.88],
  ),
  desktopMergeCost: weight(
    4.2,
    'the same on a desktop, where it draws in more laptops of one company',
    JUDGED,
    [5.4, -6.32],
    [-4.27, 5.43],
  ),
  splitCost: weight(1, 'what a false split costs', JUDGED, [-5.46, 12.31], [9.15, -14.31]),
  mergeConfidence: weight(
    0.97,
    'two devices become one from this probability on',
    FITTED,
    [16.24, 1.18],
    [-6.42, -0.14],
  ),
  unlistedOdds: weight(
    0.5,
    'odds of all clones together that are too many to list',
    JUDGED,
    [0.48, -0.83],
    [0, 2.13],
  ),
  othersMin: weight(0.002, 'expected look-alikes are never fewer', JUDGED, [0, 0], [0, 0]),

  othersHere: weight(
    0.08,
    'expected look-alikes at one address or network, such as a family with two of one phone',
    CALIBRATED,
    [0.24, -1.03],
    [-2.96, 2.04],
  ),

  // How often a component changes between a visit and the next one that lost its cookie.
  hiddenGroup: weight(0.7, 'a group of components is missing on one side', JUDGED, [0, 2.52], [0.24, -0.81]),
  drawingAfterUpdate: weight(0.25, 'drawing changed with a browser update', CHANGES, [0, 0.69], [0, 0.28]),
  drawingChanged: weight(0.03, 'drawing changed without one', CHANGES, [0, 0.12], [0, 0]),
  phoneScreenChanged: weight(0.01, 'another screen on a phone', JUDGED, [0, 0], [0, 0]),
  screenChanged: weight(0.12, 'another screen on a desktop', CHANGES, [0, 0.12], [0, -0.34]),
  gpuChanged: weight(0.01, 'another GPU', CHANGES, [0, 0], [0, 0]),
  machineChanged: weight(0.004, 'another processor, memory or model', JUDGED, [0, 0], [0, 0]),
  engineAfterUpdate: weight(0.6, 'limits or maths changed with an update', JUDGED, [0, 0], [0, -0.17]),
  engineChanged: weight(0.1, 'limits or maths changed without one', JUDGED, [0, 0], [0, 0]),
  fontsUnknown: weight(0.7, 'font names are missing on one side', JUDGED, [0, 0], [0, 0]),
  fontsSwappedFew: weight(0.01, 'at most two fonts added and removed', JUDGED, [0, 0], [0, 0]),
  fontsSwapped: weight(0.003, 'more fonts added and removed', JUDGED, [0, 0], [0, 0]),
  fontsRemovedFew: weight(0.015, 'at most ten fonts removed', JUDGED, [0, 0], [0, 0]),
  fontsRemoved: weight(0.03, 'more fonts removed, as in a private window', JUDGED, [0, 0], [0, 0]),
  fontsAddedFew: weight(0.06, 'one or two fonts added', FITTED, [0, -0.87], [0, 0.17]),
  fontsAddedSome: weight(0.05, 'up to twelve fonts added, as by a program', JUDGED, [0, 0], [0, 0]),
  fontsAdded: weight(0.01, 'more fonts added', JUDGED, [0, 0], [0, 0]),
  versionBack: weight(0.05, 'an older version of browser or system', JUDGED, [-0.95, -1.07], [0.36, 1.12]),
  updatedAtOnce: weight(0.3, 'a newer version right after the last visit', JUDGED, [0, 0.36], [0, -0.12]),
  notUpdated: weight(0.5, 'the same version long after the last visit', JUDGED, [-2.73, 0.81], [0.24, -1.26]),
  updateDays: weight(20, 'mean days between updates', JUDGED, [-2.02, 0.97], [0, -0.91]),

  // Where and when it comes back.
  burst: weight(
    3,
    'how many times likelier a visit soon after the last one is',
    JUDGED,
    [-0.33, 0.77],
    [1.16, 0.01],
  ),
  burstDays: weight(0.1, 'mean days that such a burst lasts', JUDGED, [-0.5, 0.34], [1.59, 0.03]),
  silentDays: weight(
    45,
    'days of silence that halve the odds of a return',
    JUDGED,
    [-3.09, 0.88],
    [0, -1.55],
  ),
  atAddress: weight(
    0.5,
    'from the same address, where that is what is compared',
    JUDGED,
    [-1.07, 0.17],
    [1.76, -2.49],
  ),
  atPrefix: weight(
    0.6,
    'from the same network, where that is what is compared',
    JUDGED,
    [-0.66, 2.02],
    [0.81, -3.93],
  ),
  nearby: weight(0.7, 'from a known address or network', JUDGED, [0, 0.86], [0.24, -0.17]),
  elsewhere: weight(0.4, 'from another network', JUDGED, [-2.14, 2.56], [4.24, -4.46]),
  localeKept: weight(
    0.9,
    'languages and time zone as before, or not compared',
    JUDGED,
    [-6.77, 13.08],
    [0.24, -1.55],
  ),
  localeAtAddress: weight(
    0.4,
    'other languages or time zone at the same address',
    JUDGED,
    [0, 0.12],
    [0, 0.81],
  ),
  localeChanged: weight(0.12, 'other languages or time zone elsewhere', JUDGED, [0, 0.24], [0, 0.52]),

  // How the facts above weigh as evidence. Fitted on the populations marked so in bench/identity/populations.ts.
  byLook: weight(6, 'odds of agreement in the look alone', CALIBRATED, [0, 0.24], [1.57, 0.33]),
  byLocale: weight(5.5, 'odds of agreement in look and locale', CALIBRATED, [0, 4.17], [6.55, -6.18]),
  byPrefix: weight(8, 'odds of agreement in look and network', CALIBRATED, [-0.66, 2.02], [2, -4.76]),
  byAddress: weight(7, 'odds of agreement in look and address', CALIBRATED, [-1.07, 0.17], [1.88, -2.83]),
  onAndroid: weight(0.9, 'the same on Android', CALIBRATED, [-1.78, 0.34], [0, -0.36]),
  onIphone: weight(0.6, 'the same on iPhones', CALIBRATED, [-1.07, 7.26], [0.7, -3.32]),
  iphoneKept: weight(
    2.7,
    'the same on iPhones, where locale or network agree',
    CALIBRATED,
    [-1.07, 7.26],
    [4.74, -5.54],
  ),
  providerKept: weight(
    7,
    'another network of a provider that the device used',
    CALIBRATED,
    [-2.14, -0.25],
    [1.19, -3.43],
  ),
  carrierKept: weight(2, 'the same provider, through addresses that thousands share', JUDGED, [0, 0], [0, 0]),
  providerChanged: weight(0.9, 'a provider that it never used', CALIBRATED, [0, -1.23], [0, 0.12]),
  lossPower: weight(0.76, 'power of the rate at which cookies are lost', CALIBRATED, [2.4, -3.26], [0, 2.13]),
  othersPower: weight(
    0.83,
    'power of the number of others that look alike',
    CALIBRATED,
    [-10.43, 18.55],
    [1.69, -3.85],
  ),
  agreementPower: weight(0.93, 'power of the odds of agreement', CALIBRATED, [7.75, -5.73], [0, 1.04]),
  copied: weight(
    1,
    'a look from a foreign provider without a cookie is a copy, for each time that it is the device',
    JUDGED,
    [0, -0.61],
    [-0.33, 0.22],
  ),
  lossDays: weight(15, 'days in which a cookie is lost', JUDGED, [0.71, -2.17], [-2.02, 2.15]),
  lostAtOnce: weight(
    0.5,
    'cookies lost at once, compared with the average',
    JUDGED,
    [-2.99, 2.47],
    [2.87, -2.55],
  ),
  lostAtOnceOpen: weight(0.15, 'the same where the window is not private', JUDGED, [0, 1.49], [0.48, -0.41]),
  lostInTime: weight(
    1.2,
    'cookies lost after months, compared with the average',
    JUDGED,
    [-2.02, 3.64],
    [0.95, -4.56],
  ),

  // Traits that tell clones apart a little.
  settingsKept: weight(
    0.95,
    'accessibility and privacy settings as before',
    JUDGED,
    [-2.63, 5.87],
    [0, -0.48],
  ),
  settingsMost: weight(
    6,
    'rare settings make it so many times likelier at most',
    JUDGED,
    [0, 0.92],
    [0, -0.34],
  ),
  zoomKept: weight(0.85, 'page zoom as before', JUDGED, [-3.42, 3.18], [0.24, -0.79]),
  zoomMost: weight(
    3,
    'a rare zoom makes it so many times likelier at most',
    JUDGED,
    [-0.17, 1.62],
    [1.31, -0.33],
  ),
  versionKept: weight(0.6, 'version as before', JUDGED, [-2.85, 3.8], [0.58, -0.96]),
  versionMost: weight(
    3,
    'a rare version makes it so many times likelier at most',
    JUDGED,
    [-2.63, 3.44],
    [0.99, -1.43],
  ),
  themeChanged: weight(0.12, 'dark where it was light', CALIBRATED, [-2.87, 0.48], [0.85, -1.63]),
  zoomChanged: weight(0.25, 'another page zoom', CALIBRATED, [0, 1.18], [0, -0.24]),
  settingsChanged: weight(0.01, 'other accessibility or privacy settings', CALIBRATED, [0, 0.12], [0, 0]),
  traitPower: weight(0.6, 'power of the odds of agreeing traits', CALIBRATED, [-5.37, 4.45], [5.05, -5.13]),
  changedTogether: weight(
    6,
    'two groups of components changed, which happens together',
    CALIBRATED,
    [0, 0.12],
    [0, 0.17],
  ),
  cookiesChanged: weight(0.3, 'keeps cookies where it did not, or the reverse', JUDGED, [0, 0], [0, 0]),
  cookieless: weight(8, 'neither visit keeps cookies, which is rare', JUDGED, [0, 0], [0, 0]),

  // How many new devices there are among visits without a known cookie.
  lostShare: weight(
    1,
    'at most this share of the known devices’ visits lost their cookie',
    JUDGED,
    [0, 0],
    [0, 0],
  ),
  newForKnownMin: weight(0.05, 'new devices for each returning one, at least', JUDGED, [0, 0], [0, 0]),
  newForKnownMax: weight(50, 'new devices for each returning one, at most', JUDGED, [0, 0], [0, 0]),

  // What a domain is taken for before its traffic has taught more: keys of one device alone, and of two.
  once: weight(8, 'look of one device alone', JUDGED, [0, 0.24], [0, -0.12]),
  twice: weight(0.8, 'look of two devices', JUDGED, [0.24, 0.41], [0, 0.12]),
  onceLocale: weight(12, 'look and locale of one alone', JUDGED, [0, 0.58], [0.24, 0.29]),
  twiceLocale: weight(0.6, 'look and locale of two', JUDGED, [0.24, -0.74], [0, 0.41]),
  oncePrefix: weight(20, 'look and network of one alone', JUDGED, [0, 0.12], [0, -0.17]),
  twicePrefix: weight(0.5, 'look and network of two', JUDGED, [0, 0], [0, 0.12]),
  onceAddress: weight(20, 'look and address of one alone', JUDGED, [0, 0], [0, 0]),
  twiceAddress: weight(0.3, 'look and address of two', JUDGED, [0, 0], [0, 0]),
  clonesOnce: weight(2, 'look of one iPhone alone: all of one size are alike', JUDGED, [0, 0], [0, 0]),
  clonesTwice: weight(6, 'look of two iPhones', JUDGED, [0, 0], [0, 0]),
  clonesOnceLocale: weight(4, 'look and locale of one iPhone alone', JUDGED, [0, 0.69], [0, -0.34]),
  clonesTwiceLocale: weight(4, 'look and locale of two iPhones', JUDGED, [0, -0.51], [0, 1.15]),
  clonesOncePrefix: weight(12, 'look and network of one iPhone alone', JUDGED, [0, 0], [0, -0.17]),
  clonesTwicePrefix: weight(1.5, 'look and network of two iPhones', JUDGED, [0, -0.17], [0, 0]),
  clonesOnceAddress: weight(20, 'look and address of one iPhone alone', JUDGED, [0, 0], [0, 0]),
  clonesTwiceAddress: weight(0.6, 'look and address of two iPhones', JUDGED, [0, 0], [0, 0]),
} as const satisfies Record<string, Weight>

export type WeightName = keyof typeof LINK_WEIGHTS
export type LinkWeights = Readonly<Record<WeightName, number>>

/** The values alone, as the linker reads them. */
export const DEFAULT_LINK_WEIGHTS = Object.fromEntries(
  Object.entries(LINK_WEIGHTS).map(([name, { value }]) => [name, value]),
) as LinkWeights
