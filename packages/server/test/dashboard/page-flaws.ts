import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
}

/**
 * Serious accessibility violations that axe finds. Injected as text, which the policy allows.
 * @param rules only these rules, such as those that depend on the colours
 */
export async function seriousViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await AXE)
  // The details of what was passed take longer than the checks.
  const options = {
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  }
  const result = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResult
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}

export const WINDOW = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }

/** What is wrong with the looks of a page: in light and dark, in a window and on a phone. */
export async function flawsOf(page: Page): Promise<string[]> {
  const flaws = [...(await lookFlaws(page, 'light', WINDOW))]
  // Only colours differ between the two.
  flaws.push(...(await lookFlaws(page, 'dark', WINDOW, ['color-contrast'])))
  flaws.push(...(await lookFlaws(page, 'light', PHONE)))
  await page.setViewportSize(WINDOW)
  return flaws
}

/** Colours on their way are none of either scheme. */
const TRANSITIONS_ENDED = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime))
  .map(({ finished }) => finished))`

/** What is wrong with the looks of a page in one scheme and size. */
export async function lookFlaws(
  page: Page,
  colorScheme: 'light' | 'dark',
  size: { width: number; height: number },
  rules?: readonly string[],
): Promise<string[]> {
  await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
  await page.evaluate(TRANSITIONS_ENDED)
  const found = [
    ...(await seriousViolations(page, rules)),
    ...(await cutButtons(page)).map((text) => `cut button: ${text}`),
    ...((await scrollsSideways(page)) ? ['scrolls sideways'] : []),
  ]
  return found.map((flaw) => `${page.url()}, ${colorScheme}, ${size.width} px: ${flaw}`)
}

/** Texts of the buttons of which a part is out of sight: outside of what they are in, or longer than the button. */
const cutButtons = async (page: Page): Promise<string[]> =>
  (await page.evaluate(`[...document.querySelectorAll('main button, main a.mantine-Button-root')].filter((button) => {
    const label = button.querySelector('.mantine-Button-label')
    if (label && label.scrollWidth > label.clientWidth + 1) return true
    const { left, right } = button.getBoundingClientRect()
    for (let around = button.parentElement; around; around = around.parentElement) {
      if (getComputedStyle(around).overflowX === 'visible') continue
      const edges = around.getBoundingClientRect()
      // Wholly out of sight is what scrolling is for.
      if (right > edges.right + 1 && left < edges.right) return true
      if (left < edges.left - 1 && right > edges.left) return true
    }
    return false
  }).map((button) => button.textContent)`)) as string[]

/** Whether the page needs horizontal scrolling. */
const scrollsSideways = async (page: Page): Promise<boolean> =>
  (await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )) as boolean
