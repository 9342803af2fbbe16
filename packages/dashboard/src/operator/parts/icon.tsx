/** Paths on a 24 by 24 grid, drawn in the colour of the text. */
const OUTLINES = {
  chart: 'M4 4v16h16 M8 16v-4 M12.5 16V8 M17 16v-6',
  table: 'M4 5h16v14H4z M4 10h16 M4 14.5h16 M10 10v9',
  plug: 'M9 3v5 M15 3v5 M6 8h12v3a6 6 0 0 1-12 0z M12 17v4',
  send: 'M4 12 20 4l-5 16-4-6z M11 14l4-4',
  shield: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z M3 12h18 M12 3c3 3 3 15 0 18 M12 3c-3 3-3 15 0 18',
  users:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z M3 20c0-4 2.5-6 6-6s6 2 6 6 M16 4.5a3.5 3.5 0 0 1 0 6.5 M17.5 14.5c2 .8 3.5 2.6 3.5 5.5',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8z M4.5 20c0-4 3-6 7.5-6s7.5 2 7.5 6',
  list: 'M8 6h12 M8 12h12 M8 18h12 M4 6h.01 M4 12h.01 M4 18h.01',
  fork: 'M6 4v6a5 5 0 0 0 5 5h7 M6 10v10 M15 11.5l3.5 3.5-3.5 3.5 M3.5 6.5 6 4l2.5 2.5',
  branch: 'M3 12h6l5-6h7 M9 12l5 6h7 M18 3l3 3-3 3 M18 15l3 3-3 3',
  lines: 'M4 6h16 M4 12h10 M4 18h7 M15.5 17l2 2 3.5-4',
  sliders: 'M4 7h9 M17 7h3 M4 17h3 M11 17h9 M15 4.5v5 M9 14.5v5',
  pulse: 'M3 12h4l3-7 4 14 3-7h4',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M12 2v2.5 M12 19.5V22 M2 12h2.5 M19.5 12H22 M5 5l1.7 1.7 M17.3 17.3 19 19 M19 5l-1.7 1.7 M6.7 17.3 5 19',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  auto: 'M3 5h18v11H3z M8 20h8 M12 16v4',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z M15.5 15.5 20 20',
  filter: 'M4 5h16l-6 7.5V19l-4-2v-4.5z',
  columns: 'M4 5h16v14H4z M9.3 5v14 M14.7 5v14',
  download: 'M12 4v11 M7.5 11l4.5 4.5L16.5 11 M5 20h14',
  copy: 'M9 9h11v11H9z M5 15H4V4h11v1',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6 6l12 12 M18 6 6 18',
  alert: 'M12 4 2.5 20h19z M12 10v4.5 M12 17.5h.01',
  bell: 'M6 17v-6a6 6 0 0 1 12 0v6l1.5 2h-15z M10 21.5h4',
  inbox: 'M4 13 6.5 5h11L20 13v6H4z M4 13h5a3 3 0 0 0 6 0h5',
  down: 'M6 9l6 6 6-6',
  plus: 'M12 5v14 M5 12h14',
  tag: 'M4 4h8l8.5 8.5-8 8L4 12z M8 8h.01',
  key: 'M8 8.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z M11.2 9.8 20 4 M16 6.7l2.5 3.3',
  device: 'M5 5h14v10H5z M2.5 19h19',
  out: 'M14 4H5v16h9 M10 12h11 M17.5 8.5 21 12l-3.5 3.5',
} as const

export type IconName = keyof typeof OUTLINES

interface IconProps {
  name: IconName
  size?: number
}

/** Hidden from screen readers, because the words beside it say the same. */
export const Icon = ({ name, size = 18 }: IconProps) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.7"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={OUTLINES[name]} />
  </svg>
)
