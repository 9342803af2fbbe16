const COMPANY = '(?:inc|llc|ltd|limited|gmbh|ag|b\\.?v|s\\.?a|s\\.?r\\.?l|ab|oy|oü|pte|pty|sdn|corp)'

/** What a company calls itself when renting out machines is its trade. */
const HOSTING = [
  'hosting\\b',
  '\\bweb ?host\\b',
  '\\bhost ?(?:europe|gator|papa|winds|dime|royale|hatch|sailor)\\b',
  '\\bvps\\b',
  '\\bcolocation\\b',
  '\\bdedicated servers?\\b',
  `\\bservers,? ${COMPANY}\\b`,
  '\\bcloud (?:computing|hosting|host|technolog|infrastructure|solutions|services|platform|data ?cent)',
  `\\bcloud,? ${COMPANY}\\b`,
  '\\bdata ?cent(?:er|re)s\\b',
  `\\bdata ?cent(?:er|re),? ${COMPANY}\\b`,
  '\\binternet data ?cent(?:er|re)\\b',
]

/** Words of those who (also) connect people. They win: an office called a data centre is no crime. */
const ACCESS = [
  'telecom',
  'telekom',
  'communications',
  'broadband',
  'wireless',
  'mobile',
  'satellite',
  'cable',
  'fib(?:er|re|ra)\\b',
  'internet service',
  'provedor',
  '\\bisp\\b',
  'universit',
  'school',
  'college',
  'governm',
  'ministr',
  '\\bstate\\b',
  'county',
]

const hosting = new RegExp(HOSTING.join('|'), 'i')
const access = new RegExp(ACCESS.join('|'), 'i')

/** Whether an organisation's name alone says that its addresses are rented machines. Strict on purpose. */
export const isHostingName = (organization: string): boolean =>
  hosting.test(organization) && !access.test(organization)
