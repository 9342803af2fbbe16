export type Child = Node | string | number | null | undefined | false | readonly Child[]

type Attributes = Record<string, string | number | boolean | undefined>

/** An element with attributes and children. Text stays text: nothing here parses HTML. */
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

export function flatten(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return []
    if (typeof child === 'string' || child instanceof Node) return [child]
    return typeof child === 'number' ? [String(child)] : flatten(child)
  })
}

/** An element that the page's HTML promises to have. */
export function required(selector: string): HTMLElement {
  const node = document.querySelector<HTMLElement>(selector)
  if (!node) throw new Error(`the page has no ${selector}`)
  return node
}
