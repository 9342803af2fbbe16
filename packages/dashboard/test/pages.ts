import { PAGES } from '../src/operator/pages.ts'
import { addressOf, type Examples, SHOWN_PAGES, type Shown } from './shown-pages.ts'

type Path = (typeof PAGES)[number]['path']

/** A page that is missing there is a type error. */
const SHOWN: Record<Path, Shown> = SHOWN_PAGES

export interface PageUnderTest {
  address: string
  heading: string
  text: RegExp
}

/** Every page behind the login, with the address of one example. */
export const pagesUnderTest = (examples: Examples): PageUnderTest[] =>
  PAGES.map(({ path, title }) => {
    const { text, heading = title } = SHOWN[path]
    return { address: addressOf(path, examples), heading, text }
  })
