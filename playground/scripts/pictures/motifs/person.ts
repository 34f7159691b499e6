import { mixColours, palette } from '../kit/colour.ts';

export interface Person {
  /** Between the feet. */
  readonly x: number;
  readonly base: number;
  readonly height: number;
  readonly coat: string;
  readonly legs?: string;
  readonly hat: 'cap' | 'scarf' | 'hood' | 'none';
  readonly hatColour: string;
  readonly skin?: string;
  readonly apron?: string;
  readonly flip?: boolean;
}

/** A small standing figure, a little turned to the right. */
export function drawPerson(person: Person): string {
  const {
    x,
    base,
    height,
    coat,
    legs = palette.navy,
    hatColour,
    skin = '#d9a27c',
    apron,
    flip,
  } = person;
  const scale = height / 170;
  return `<g transform="translate(${x} ${base}) scale(${flip ? -scale : scale} ${scale})">
    <path d="M-15,-62L-17,0H-3L0,-50L4,0H18L15,-62Z" fill="${legs}"/><path d="M-19,-5H-2V1H-19ZM3,-5H22V1H3Z" fill="${palette.ink}"/>
    <path d="M-22,-56C-24,-90 -24,-112 -14,-122C-8,-127 8,-127 14,-122C24,-112 24,-90 22,-56Z" fill="${coat}"/>
    <path d="M4,-56C8,-90 10,-112 14,-122C24,-112 24,-90 22,-56Z" fill="#000" fill-opacity=".12"/>
    ${apron ? `<path d="M-13,-104H13L17,-40H-17Z" fill="${apron}"/>` : ''}
    <path d="M-20,-112C-28,-98 -28,-80 -22,-66L-15,-68C-18,-82 -16,-96 -12,-106Z" fill="${mixColours(coat, '#000000', 0.18)}"/>
    <path d="M18,-114C28,-100 34,-90 36,-80L29,-76C24,-84 18,-92 11,-98Z" fill="${mixColours(coat, '#000000', 0.1)}"/><circle cx="33" cy="-77" r="5" fill="${skin}"/>
    <path d="M-6,-132H7V-120H-6Z" fill="${mixColours(skin, '#000000', 0.18)}"/><ellipse cx="1" cy="-143" rx="13" ry="16" fill="${skin}"/><path d="M13,-144l5,4l-5,2z" fill="${skin}"/>
    ${drawHat(person.hat, hatColour)}</g>`;
}

function drawHat(kind: Person['hat'], colour: string): string {
  if (kind === 'cap') {
    return `<path d="M-14,-147C-16,-164 14,-166 15,-149Z" fill="${colour}"/><path d="M6,-151L23,-146L14,-144L5,-146Z" fill="${mixColours(colour, '#000000', 0.3)}"/>`;
  }
  if (kind === 'scarf') {
    return `<path d="M-14,-128C-20,-150 -12,-164 2,-163C12,-162 16,-154 14,-148C4,-152 -4,-146 -4,-136C-4,-130 -8,-124 -14,-128Z" fill="${colour}"/>`;
  }
  if (kind === 'hood') {
    return `<path d="M-16,-124C-22,-152 -12,-168 4,-166C16,-164 20,-152 15,-146C8,-150 0,-148 -1,-138C-2,-130 0,-124 4,-120Z" fill="${colour}"/>`;
  }
  return `<path d="M-13,-138C-18,-158 -8,-164 2,-162C12,-161 16,-154 14,-149C6,-152 -4,-152 -6,-142Z" fill="${colour}"/>`;
}
