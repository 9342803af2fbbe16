export const CASE_TABS = ['mine', 'unassigned', 'all', 'closed'] as const
export type CaseTab = (typeof CASE_TABS)[number]

export interface CasesSearch {
  tab?: CaseTab
}

/** Drops what no tab is called, so that an address typed by hand cannot break the page. */
export function parseCasesSearch({ tab }: Record<string, unknown>): CasesSearch {
  const known = CASE_TABS.find((name) => name === tab)
  return known ? { tab: known } : {}
}
