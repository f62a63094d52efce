const SCALE = 2;
const PADDING = 24;
const TITLE_PX = 40;
const LEGEND_LINE_PX = 20;
/**
 * Styles that are copied into the picture, because the stylesheet does not apply outside of the
 * page.
 */
const STYLES = [
  ...['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity'],
  ...['font-family', 'font-size', 'font-weight'],
];

/** Saves the plot of a card as a PNG with its title and legend, in the present colours. */
export const drawPlotImage = async (svg: SVGSVGElement, title: string): Promise<Blob | null> => {
  const { width, height } = svg.getBoundingClientRect();
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([serializePlot(svg)], { type: 'image/svg+xml' }));
  await image.decode();
  const legend = svg.closest('figure')?.querySelectorAll('.legend span') ?? [];
  const canvas = document.createElement('canvas');
  canvas.width = (width + 2 * PADDING) * SCALE;
  canvas.height = (height + TITLE_PX + legend.length * LEGEND_LINE_PX + 2 * PADDING) * SCALE;
  const context = canvas.getContext('2d');
  if (context === null) return null;
  const page = getComputedStyle(document.documentElement);
  context.scale(SCALE, SCALE);
  context.fillStyle = page.getPropertyValue('--surface');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = page.getPropertyValue('--ink');
  context.font = `600 16px ${page.getPropertyValue('--font')}`;
  context.fillText(title, PADDING, PADDING + 16);
  context.drawImage(image, PADDING, PADDING + TITLE_PX, width, height);
  context.font = `12px ${page.getPropertyValue('--font')}`;
  for (const [index, { firstElementChild: swatch, textContent: text }] of [...legend].entries()) {
    const y = PADDING + TITLE_PX + height + (index + 1) * LEGEND_LINE_PX;
    context.fillStyle = page.getPropertyValue('--ink');
    context.fillText(text, PADDING + 22, y);
    if (swatch !== null) context.fillStyle = getComputedStyle(swatch).color;
    const isDashed = swatch?.matches('[data-dashed=true]');
    context.fillRect(PADDING, y - 6, isDashed === true ? 5 : 14, 3);
    if (isDashed === true) context.fillRect(PADDING + 9, y - 6, 5, 3);
  }
  URL.revokeObjectURL(image.src);
  return new Promise((resolve) => {
    canvas.toBlob(resolve);
  });
};

/** Returns the plot as SVG text. Every element contains its styles. */
const serializePlot = (svg: SVGSVGElement): string => {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const copies = copy.querySelectorAll<SVGElement>('*');
  for (const [index, original] of svg.querySelectorAll<SVGElement>('*').entries()) {
    const shown = getComputedStyle(original);
    for (const name of STYLES) copies[index]?.style.setProperty(name, shown.getPropertyValue(name));
  }
  return new XMLSerializer().serializeToString(copy);
};
