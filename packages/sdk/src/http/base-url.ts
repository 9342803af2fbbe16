import { InklingError } from '../inkling-error.ts'

/** The root that paths are put behind. A query or fragment would swallow them. */
export function baseUrl(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const usable = (url?.protocol === 'http:' || url?.protocol === 'https:') && !/[?#]/.test(text)
  if (!usable) throw new InklingError('invalid_argument', `${option} must be an http or https URL`)
  return text.replace(/\/+$/, '')
}
