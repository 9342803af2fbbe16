import type { DecisionPurpose } from '@inkling/contract'

export const PURPOSE_LABELS: Record<DecisionPurpose, string> = {
  signup: 'Sign-up',
  login: 'Login',
  payment: 'Payment',
  promotion: 'Promotion',
  scraping: 'Scraping',
  custom: 'Custom',
}

/** What a rule is for; null means all purposes. */
export const purposesText = (purposes: readonly DecisionPurpose[] | null): string =>
  purposes === null ? 'everything' : purposes.map((purpose) => PURPOSE_LABELS[purpose]).join(', ')
