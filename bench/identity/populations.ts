import { buyCheapAndroid, buyGamingPc, buySchoolImage } from './population/markets.ts'
import { loadOperators, type Operator } from './population/operator.ts'
import { REFERENCE_SOCIETY } from './population/people.ts'
import { type Circumstances, REFERENCE } from './population/visits.ts'

/** A population that linking is measured on. */
export interface Population {
  name: string
  /** `fitted`: the weights were chosen on it, so its figures are no result. `judged`: they were not. */
  use: 'fitted' | 'judged'
  seed: number
  circumstances: Circumstances
  /** Folders of operators. */
  folders: readonly string[]
  /** Names of operators that it leaves out. */
  without?: readonly string[]
}

const HABITS = { folders: ['operators', 'habits'], without: ['cookie clear'] }

export const POPULATIONS: readonly Population[] = [
  { name: 'reference', use: 'fitted', seed: 1, circumstances: REFERENCE, folders: ['operators'] },
  {
    name: 'day one',
    use: 'fitted',
    seed: 21,
    circumstances: {
      ...REFERENCE,
      arrivalDays: 1,
      evidence: true,
      society: { ...REFERENCE_SOCIETY, twins: 0.1 },
    },
    ...HABITS,
  },
  {
    name: 'homes',
    use: 'fitted',
    seed: 22,
    circumstances: {
      ...REFERENCE,
      visitsMean: 14,
      evidence: true,
      society: { ...REFERENCE_SOCIETY, twins: 0.5 },
      addresses: { carrierAddresses: 16, homesWithSix: 0.5 },
    },
    ...HABITS,
  },
  {
    name: 'held out',
    use: 'judged',
    seed: 11,
    circumstances: REFERENCE,
    folders: ['operators', 'held-out'],
  },
  {
    name: 'fortnight',
    use: 'judged',
    seed: 23,
    circumstances: {
      ...REFERENCE,
      arrivalDays: 14,
      evidence: true,
      society: {
        ...REFERENCE_SOCIETY,
        companyMean: 60,
        officeShare: 0.45,
        twins: 0.15,
      },
    },
    ...HABITS,
  },
  {
    name: 'year',
    use: 'judged',
    seed: 24,
    circumstances: {
      ...REFERENCE,
      horizonDays: 365,
      arrivalDays: 240,
      visitsMean: 8,
      evidence: true,
      society: { ...REFERENCE_SOCIETY, twins: 0.2 },
      addresses: { carrierAddresses: 16, homesWithSix: 0.6 },
    },
    ...HABITS,
  },
  {
    name: 'besieged',
    use: 'judged',
    seed: 25,
    circumstances: {
      ...REFERENCE,
      evidence: true,
      society: {
        ...REFERENCE_SOCIETY,
        cohorts: [...REFERENCE_SOCIETY.cohorts, ['attacker', 0.03]],
        twins: 0.15,
      },
    },
    folders: [...HABITS.folders, 'attackers'],
    without: HABITS.without,
  },
  // Written late and first run with the final weights.
  {
    name: 'campus',
    use: 'judged',
    seed: 31,
    circumstances: {
      ...REFERENCE,
      horizonDays: 90,
      arrivalDays: 5,
      visitsMean: 11,
      evidence: true,
      society: {
        ...REFERENCE_SOCIETY,
        cohorts: [
          ['desktop', 0.3],
          ['android', 0.25],
          ['phone', 0.3],
          ['fleet', 0.15],
        ],
        companyMean: 40,
        twins: 0.05,
      },
    },
    ...HABITS,
  },
  {
    name: 'travellers',
    use: 'judged',
    seed: 32,
    circumstances: {
      ...REFERENCE,
      horizonDays: 180,
      arrivalDays: 120,
      visitsMean: 12,
      evidence: true,
      society: { ...REFERENCE_SOCIETY, officeShare: 0.3, twins: 0.1 },
      addresses: { carrierAddresses: 32, homesWithSix: 0.8 },
    },
    folders: [...HABITS.folders, 'held-out'],
    without: [...HABITS.without, 'storage expiry'],
  },
  // Written after the model and its weights.
  {
    name: 'gamers',
    use: 'judged',
    seed: 41,
    circumstances: {
      ...REFERENCE,
      horizonDays: 300,
      arrivalDays: 200,
      visitsMean: 7,
      evidence: true,
      society: {
        ...REFERENCE_SOCIETY,
        cohorts: [
          ['desktop', 0.75],
          ['android', 0.12],
          ['phone', 0.11],
          ['fleet', 0.02],
        ],
        twins: 0.1,
        market: { desktop: buyGamingPc },
      },
      addresses: { carrierAddresses: 48, homesWithSix: 0.5 },
    },
    folders: [...HABITS.folders, 'gamers'],
    without: HABITS.without,
  },
  {
    name: 'school',
    use: 'judged',
    seed: 42,
    circumstances: {
      ...REFERENCE,
      horizonDays: 150,
      arrivalDays: 10,
      visitsMean: 12,
      evidence: true,
      society: {
        ...REFERENCE_SOCIETY,
        cohorts: [
          ['desktop', 0.12],
          ['android', 0.15],
          ['phone', 0.18],
          ['fleet', 0.55],
        ],
        twins: 0.1,
        companyMean: 70,
        officeShare: 0.8,
        guestShare: 0.25,
        market: { fleet: buySchoolImage },
      },
    },
    folders: [...HABITS.folders, 'shared-use'],
    without: HABITS.without,
  },
  {
    name: 'mobile first',
    use: 'judged',
    seed: 43,
    circumstances: {
      ...REFERENCE,
      arrivalDays: 60,
      visitsMean: 9,
      evidence: true,
      society: {
        ...REFERENCE_SOCIETY,
        cohorts: [
          ['desktop', 0.1],
          ['android', 0.82],
          ['phone', 0.04],
          ['fleet', 0.04],
        ],
        twins: 0.15,
        market: { android: buyCheapAndroid },
        countries: ['IN', 'BR', 'MX'],
        mobile: [0.2, 0.72],
      },
      addresses: { carrierAddresses: 16, homesWithSix: 0.3 },
    },
    ...HABITS,
  },
  // Written after linking was calibrated anew, with operators of their own.
  {
    name: 'silence',
    use: 'judged',
    seed: 51,
    circumstances: {
      ...REFERENCE,
      horizonDays: 420,
      arrivalDays: 150,
      visitsMean: 6,
      evidence: true,
      society: { ...REFERENCE_SOCIETY, twins: 0.1, officeShare: 0.5 },
      addresses: { carrierAddresses: 32, homesWithSix: 0.4 },
    },
    folders: ['operators', 'silence'],
    without: ['cookie clear', 'browser update', 'address change'],
  },
  {
    name: 'headquarters',
    use: 'judged',
    seed: 52,
    circumstances: {
      ...REFERENCE,
      horizonDays: 100,
      arrivalDays: 1,
      visitsMean: 14,
      evidence: true,
      society: {
        ...REFERENCE_SOCIETY,
        cohorts: [
          ['desktop', 0.3],
          ['android', 0.2],
          ['phone', 0.2],
          ['fleet', 0.3],
        ],
        companyMean: 90,
        officeShare: 0.5,
        twins: 0.08,
      },
    },
    folders: ['operators', 'headquarters'],
    without: ['cookie clear', 'browser update'],
  },
]

export async function operatorsOf({ folders, without = [] }: Population): Promise<Operator[]> {
  const loaded = await Promise.all(folders.map((folder) => loadOperators(`${import.meta.dirname}/${folder}`)))
  return loaded.flat().filter(({ name }) => !without.includes(name))
}
