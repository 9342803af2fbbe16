export type Child = Node | string | number | null | undefined | false | readonly Child[]

type Attributes = Record<string, string | number | boolean | undefined>

/** Creates an element. Strings become text nodes: nothing here parses HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    node.setAttribute(name, value === true ? '' : String(value))
  }
  node.append(...flatten(children))
  return node
}

function flatten(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return []
    if (typeof child === 'string' || child instanceof Node) return [child]
    return typeof child === 'number' ? [String(child)] : flatten(child)
  })
}

/** An element that index.html has to contain. */
export function required(selector: string): HTMLElement {
  const node = document.querySelector<HTMLElement>(selector)
  if (!node) throw new Error(`the page has no ${selector}`)
  return node
}

const painted = new WeakMap<HTMLElement, string>()

/**
 * Renders into an element, but only when its data has changed: polling must not close a `details`
 * element or take the focus away. When the data has changed, elements with the same `data-keep`
 * keep both.
 */
export function paint(target: HTMLElement, shown: unknown, content: () => Child): void {
  const key = JSON.stringify(shown) ?? ''
  if (painted.get(target) === key) return
  painted.set(target, key)

  const opened = [...target.querySelectorAll<HTMLDetailsElement>('details[open][data-keep]')].map(keepName)
  const active = document.activeElement
  const focused = active instanceof HTMLElement && target.contains(active) ? keepName(active) : undefined

  target.replaceChildren(...flatten([content()]))

  for (const kept of target.querySelectorAll<HTMLElement>('[data-keep]')) {
    if (kept instanceof HTMLDetailsElement && opened.includes(keepName(kept))) kept.open = true
    if (focused !== undefined && keepName(kept) === focused) kept.focus({ preventScroll: true })
  }
}

const keepName = (node: HTMLElement): string | undefined => node.dataset.keep
