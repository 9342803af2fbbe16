import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@inkling/contract/account'
import { commonPasswords } from './common-passwords.ts'

const COMMON = 'this password is among the first that an attacker tries; choose another one'

/** The problem of a new password; undefined if there is none. */
export function passwordFault(password: string, email = ''): string | undefined {
  if (password.length < PASSWORD_LENGTH_MIN || password.length > PASSWORD_LENGTH_MAX)
    return `a password has ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`
  const text = password.normalize('NFKC').toLowerCase()
  if (isCommon(text)) return COMMON
  const [name = ''] = email.toLowerCase().split('@')
  if (text === email.toLowerCase() || text === name || repeated(text) === name)
    return 'a password must not be the e-mail address'
  return undefined
}

/** Most common passwords are short, and people lengthen them with digits and signs or by writing them twice. */
function isCommon(text: string): boolean {
  const piece = repeated(text)
  const letters = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return (
    piece.length === 1 ||
    RUNS.some((run) => run.includes(text)) ||
    [text, piece, letters, repeated(letters)].some((form) => commonPasswords().has(form))
  )
}

const FORWARD = ['01234567890123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm']
/** Neighbours on the keyboard and in the alphabet, in both directions. */
const RUNS = FORWARD.flatMap((run) => [run, [...run].reverse().join('')])

/** The piece that the text consists of, such as `ab` of `ababab`; otherwise the text. */
function repeated(text: string): string {
  if (text === '') return ''
  // Where a repetition begins again, the text is found in its own double.
  const length = (text + text).indexOf(text, 1)
  return text.slice(0, length)
}
