/** The links that open the cases of the table, from top to bottom. */
const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('a[data-case]')]

const focusedIndex = (all: readonly HTMLElement[]): number => {
  const row = document.activeElement?.closest('tr')
  return all.findIndex((link) => link.closest('tr') === row)
}

/** Moves the focus by so many rows, from outside of the table to its first one. */
export function moveFocus(rows: number): void {
  const all = links()
  const index = focusedIndex(all)
  const next = index === -1 ? 0 : Math.min(all.length - 1, Math.max(0, index + rows))
  all[next]?.focus()
}

/** The number of the case whose row has the focus. */
export function focusedCase(): number | undefined {
  const all = links()
  const number = all[focusedIndex(all)]?.dataset.case
  return number === undefined ? undefined : Number(number)
}
