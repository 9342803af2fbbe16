import type { DecisionRuleText } from '@inkling/contract'

export interface ReadyMadeSet {
  id: string
  title: string
  /** What it stops, and what to look at before it is turned on. */
  about: string
  rules: readonly Omit<DecisionRuleText, 'state'>[]
}

/** Visits of people have half of it where a proxy ends TLS, and more where it ends here. */
const EVIDENCE_MIN = 0.25

/**
 * Every rule asks for several independent facts, or leaves the last word to a person or a challenge. A rule that asks for
 * less than the band would leaves those visits to the band.
 */
export const READY_MADE_SETS: readonly ReadyMadeSet[] = [
  {
    id: 'signup',
    title: 'Sign-up',
    about: 'Stops automated registrations and one device that makes account after account.',
    rules: [
      rule('Automated sign-up', 'score >= 60 && signals.browser_automation == true', {
        action: 'deny',
        priority: 100,
        purposes: ['signup'],
      }),
      rule(
        'Many accounts on one device in a day',
        'velocity.device.accounts.h24 >= 4 && band != "dangerous"',
        {
          action: 'challenge',
          priority: 50,
          purposes: ['signup'],
        },
      ),
      rule('Device with many accounts in a week', 'velocity.device.accounts.d7 >= 6 && band == "trusted"', {
        action: 'review',
        priority: 20,
        purposes: ['signup'],
      }),
      littleKnown('signup'),
    ],
  },
  {
    id: 'login',
    title: 'Login',
    about:
      'Asks for a second factor where an account is reached in a way that is new to it. Two of the rules need visits that name their account.',
    rules: [
      rule('Risky device that tries many accounts', 'velocity.device.accounts.h1 >= 10 && score >= 30', {
        action: 'deny',
        priority: 100,
        purposes: ['login'],
      }),
      rule(
        'Account on many devices in a day',
        'velocity.account.devices.h24 != null && velocity.account.devices.h24 >= 5 && band != "dangerous"',
        {
          action: 'challenge',
          priority: 50,
          purposes: ['login'],
        },
      ),
      rule(
        'Account in several countries in a day',
        'velocity.account.countries.h24 != null && velocity.account.countries.h24 >= 3 && band != "dangerous"',
        {
          action: 'challenge',
          priority: 50,
          purposes: ['login'],
        },
      ),
      rule(
        'New device that looks risky',
        'identity.is_new_device == true && score >= 30 && band != "dangerous"',
        {
          action: 'challenge',
          priority: 40,
          purposes: ['login'],
        },
      ),
      littleKnown('login'),
    ],
  },
  {
    id: 'payment',
    title: 'Payment',
    about:
      'Adds up what speaks against a payment. Its points need thresholds, such as 30 for review and 60 for challenge.',
    rules: [
      rule('Dangerous visit pays', 'band == "dangerous"', { points: 40, purposes: ['payment'] }),
      rule('Many payments from one device in an hour', 'velocity.device.visits.h1 >= 10', {
        points: 20,
        purposes: ['payment'],
      }),
      rule('Device with many accounts pays', 'velocity.device.accounts.d7 >= 4', {
        points: 30,
        purposes: ['payment'],
      }),
      rule('Request from another address than the visit', 'address_matches == false', {
        points: 10,
        purposes: ['payment'],
      }),
      rule('Old visit', 'age_seconds > 300', { points: 10, purposes: ['payment'] }),
    ],
  },
  {
    id: 'promotion',
    title: 'Promotion',
    about: 'Gives a benefit once to a device. Families share devices, so most of it asks for a review.',
    rules: [
      rule('Automated claim', 'band == "dangerous" && signals.browser_automation == true', {
        action: 'deny',
        priority: 100,
        purposes: ['promotion'],
      }),
      rule(
        'Device with several accounts this week',
        'velocity.device.accounts.d7 >= 3 && band == "trusted"',
        {
          action: 'review',
          priority: 50,
          purposes: ['promotion'],
        },
      ),
      rule('Device that keeps changing cookies', 'velocity.device.cookies.d7 >= 6 && band == "trusted"', {
        action: 'review',
        priority: 40,
        purposes: ['promotion'],
      }),
      littleKnown('promotion'),
    ],
  },
  {
    id: 'scraping',
    title: 'Scraping',
    about: 'Turns away programs that pretend, and lets those pass that prove who they are.',
    rules: [
      rule(
        'Agent that proves who it is',
        'agent.identity == "verified" && agent.category != "browser_service"',
        {
          action: 'allow',
          priority: 100,
          purposes: ['scraping'],
        },
      ),
      rule('Agent under a false name', 'agent.identity == "spoofed"', {
        action: 'deny',
        priority: 90,
        purposes: ['scraping'],
      }),
      rule('Automated browser', 'score >= 60 && signals.browser_automation == true', {
        action: 'deny',
        priority: 80,
        purposes: ['scraping'],
      }),
      rule('Very many pages from one device', 'velocity.device.visits.h1 >= 300 && band != "dangerous"', {
        action: 'challenge',
        priority: 50,
        purposes: ['scraping'],
      }),
    ],
  },
]

type Shape =
  | { action: 'allow' | 'review' | 'challenge' | 'deny'; priority: number }
  | { points: number; priority?: number }

function rule(
  name: string,
  condition: string,
  { purposes, priority = 0, ...effect }: Shape & { purposes: NonNullable<DecisionRuleText['purposes']> },
): Omit<DecisionRuleText, 'state'> {
  const effectOf: DecisionRuleText['effect'] =
    'action' in effect ? { action: effect.action } : { points: effect.points, cap: 100 }
  return { name, condition, effect: effectOf, priority, purposes }
}

/** A visit that nothing speaks against because it shows hardly anything, or no device. A person passes a challenge. */
function littleKnown(purpose: NonNullable<DecisionRuleText['purposes']>[number]) {
  return rule(
    'Visit that shows hardly anything',
    `band == "trusted" && (device_id == null || evidence != null && evidence < ${EVIDENCE_MIN})`,
    { action: 'challenge', priority: 10, purposes: [purpose] },
  )
}
