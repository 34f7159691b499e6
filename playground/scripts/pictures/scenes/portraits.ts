import { drawClouds } from '../kit/clouds.ts';
import { palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size, stack } from '../kit/layer.ts';
import { drawRidge, radialGradient, verticalGradient } from '../kit/shapes.ts';
import { drawFishingBoat } from '../motifs/boats.ts';

/** The harbour pilot: oilskin, cap and beard, the fairway behind him. */
export async function drawPilot(size: Size): Promise<Layer> {
  const { width, height } = size;
  const waterline = height * 0.56;
  return stack(
    await renderSvg(
      size,
      `<defs>${verticalGradient('s', [
        { at: 0, colour: '#3f7f8f' },
        { at: 0.6, colour: '#a9cbbf' },
        { at: 1, colour: '#f2dfb4' },
      ])}${verticalGradient('w', [
        { at: 0, colour: '#4f8a92' },
        { at: 1, colour: '#1d4a5b' },
      ])}</defs><rect width="${width}" height="${waterline}" fill="url(#s)"/>
      <path d="${drawRidge({ seed: 601, width, base: waterline, height: 330, grain: 620 })}" fill="#7ba3a3"/><rect y="${waterline}" width="${width}" height="${height - waterline}" fill="url(#w)"/>
      <circle cx="1000" cy="1010" r="780" fill="#f6e6bf" fill-opacity=".5"/>
      ${drawFishingBoat({ x: 330, y: waterline + 70, length: 330, hull: palette.brick })}`,
    ),
    await drawClouds(size, {
      seed: 607,
      colour: '#fff9ec',
      grain: [700, 190],
      cover: 0.48,
      density: 0.8,
      band: [60, 1100],
      edge: 3,
    }),
    await renderSvg(size, drawPilotFigure()),
  );
}

function drawPilotFigure(): string {
  const beard =
    'M690,1130C690,1420 790,1640 1000,1650C1210,1640 1310,1420 1310,1130C1270,1230 1210,1270 1140,1262C1080,1244 920,1244 860,1262C790,1270 730,1230 690,1130Z';
  return `<path d="M150,2500C180,2080 420,1830 770,1720L1000,1780L1230,1720C1580,1830 1820,2080 1850,2500Z" fill="#dd9f37"/>
    <path d="M1230,1720C1580,1830 1820,2080 1850,2500H1420C1450,2180 1380,1900 1230,1720Z" fill="#a96a1d" fill-opacity=".55"/>
    <path d="M730,1480H1270V1800Q1000,2010 730,1800Z" fill="${palette.navy}"/><path d="M730,1690Q1000,1890 1270,1690V1800Q1000,2010 730,1800Z" fill="#12293a"/>
    <path d="M770,1720C700,1760 640,1810 600,1880L900,2180L1000,1960L1100,2180L1400,1880C1360,1810 1300,1760 1230,1720L1000,1940Z" fill="#c5842a"/>
    <path d="M1000,1960V2500" stroke="#8d5617" stroke-width="10"/><g fill="#6d4212"><circle cx="1050" cy="2180" r="26"/><circle cx="1050" cy="2360" r="26"/></g>
    <path d="M690,960C640,950 620,1020 640,1090C655,1150 690,1170 706,1150ZM1310,960C1360,950 1380,1020 1360,1090C1345,1150 1310,1170 1294,1150Z" fill="#c0815c"/>
    <path d="M690,800H1310V1130C1310,1420 1200,1560 1000,1570C800,1560 690,1420 690,1130Z" fill="#d99c74"/>
    <path d="M1130,800H1310V1130C1310,1330 1260,1460 1160,1520C1240,1300 1230,1000 1130,800Z" fill="#b87450" fill-opacity=".55"/>
    <path d="${beard}" fill="#ece5d6"/><path d="M1140,1262C1210,1270 1270,1230 1310,1130C1310,1420 1210,1640 1000,1650C1160,1580 1210,1420 1140,1262Z" fill="#b9b2a4"/>
    <path d="M800,1290C880,1220 960,1230 1000,1262C1040,1230 1120,1220 1200,1290C1120,1330 1050,1330 1000,1302C950,1330 880,1330 800,1290Z" fill="#fbf6ea"/>
    <path d="M930,1380Q1000,1420 1070,1380Q1000,1400 930,1380Z" fill="#8d4a37"/>
    <path d="M1000,1010C1030,1090 1066,1150 1050,1196C1030,1226 970,1226 950,1196C934,1150 970,1090 1000,1010Z" fill="#c5815a"/>
    <path d="M770,990Q850,940 920,984L914,1010Q850,976 778,1016ZM1230,990Q1150,940 1080,984L1086,1010Q1150,976 1222,1016Z" fill="#f3ecdd"/>
    <path d="M800,1066Q850,1030 902,1066Q850,1090 800,1066ZM1200,1066Q1150,1030 1098,1066Q1150,1090 1200,1066Z" fill="#fbf6ea"/><circle cx="854" cy="1062" r="19" fill="#27495c"/><circle cx="1146" cy="1062" r="19" fill="#27495c"/>
    <path d="M640,800C560,660 640,470 1000,460C1360,470 1440,660 1360,800Z" fill="${palette.navy}"/><path d="M1100,464C1330,490 1430,660 1360,800H1180C1220,680 1190,560 1100,464Z" fill="#0f2434"/>
    <path d="M660,790H1340V890H660Z" fill="${palette.ink}"/><path d="M660,868C760,840 1240,840 1340,868C1380,930 1360,966 1330,976C1230,900 770,900 670,976C640,966 620,930 660,868Z" fill="#0b1721"/>
    <path d="M700,936C800,886 1200,886 1300,936" stroke="#4d6474" stroke-width="9" fill="none"/>
    <circle cx="1000" cy="720" r="62" fill="${palette.straw}"/><path d="M1000,676v90M966,700h68M962,738q4,40 38,42q34,-2 38,-42" stroke="${palette.rust}" stroke-width="11" fill="none"/>`;
}

/** The net-maker, her work hung up behind her. */
export async function drawNetMaker(size: Size): Promise<Layer> {
  const { width, height } = size;
  return stack(
    await renderSvg(
      size,
      `<defs>${radialGradient('lit', [
        { at: 0, colour: '#e8b489' },
        { at: 0.6, colour: '#c5805c' },
        { at: 1, colour: '#7a3f35' },
      ])}</defs><rect width="${width}" height="${height}" fill="#7a3f35"/><ellipse cx="1000" cy="1050" rx="1500" ry="1700" fill="url(#lit)"/>${drawNet(size)}`,
    ),
    await drawClouds(size, {
      seed: 613,
      colour: '#ffdcae',
      grain: [800, 700],
      cover: 0.52,
      density: 0.22,
      band: [-200, height + 200],
      edge: 1.4,
    }),
    await renderSvg(size, drawNetMakerFigure()),
  );
}

function drawNet({ width, height }: Size): string {
  const mesh: string[] = [];
  const knots: string[] = [];
  for (let row = 0; row * 75 < height * 0.84; row += 1) {
    const sag = (x: number) => 60 * Math.sin((x / width) * Math.PI * 2 + 0.6);
    for (let column = -1; column * 150 < width + 150; column += 1) {
      const x = column * 150 + (row % 2) * 75;
      const y = 130 + row * 75 + sag(x);
      mesh.push(
        `M${x},${y.toFixed(0)}L${x + 75},${(205 + row * 75 + sag(x + 75)).toFixed(0)}M${x},${y.toFixed(0)}L${x - 75},${(205 + row * 75 + sag(x - 75)).toFixed(0)}`,
      );
      knots.push(`<circle cx="${x}" cy="${y.toFixed(0)}" r="9"/>`);
    }
  }
  const floats = Array.from({ length: 8 }, (_, index) => {
    const x = 110 + index * 262;
    return `<ellipse cx="${x}" cy="${(128 + 60 * Math.sin((x / width) * Math.PI * 2 + 0.6)).toFixed(0)}" rx="62" ry="40" fill="${index % 2 ? palette.straw : palette.cream}" stroke="#5a2a22" stroke-width="7"/>`;
  });
  return `<g stroke="#f3dcb4" stroke-opacity=".5" stroke-width="6.500">${`<path d="${mesh.join('')}"/>`}</g><g fill="#f3dcb4" fill-opacity=".7">${knots.join('')}</g>${floats.join('')}`;
}

function drawNetMakerFigure(): string {
  const dots = [
    [760, 700],
    [900, 600],
    [1060, 570],
    [1210, 640],
    [690, 860],
    [840, 780],
    [1010, 720],
    [1180, 780],
    [1290, 850],
    [672, 1060],
    [1330, 1050],
    [690, 1280],
    [1316, 1270],
  ];
  return `<path d="M190,2500C220,2110 430,1890 780,1780L1000,1840L1220,1780C1570,1890 1780,2110 1810,2500Z" fill="#2b5a6b"/>
    <path d="M1220,1780C1570,1890 1780,2110 1810,2500H1400C1430,2230 1370,1960 1220,1780Z" fill="#173b4a" fill-opacity=".7"/>
    <path d="M640,2500L700,2020Q1000,2140 1300,2020L1360,2500Z" fill="${palette.cream}"/><path d="M700,2020L640,1850L700,1816L780,2050ZM1300,2020L1360,1850L1300,1816L1220,2050Z" fill="#e5d7b8"/>
    <path d="M860,1500H1140V1790Q1000,1920 860,1790Z" fill="#b9795a"/>
    <path d="M760,1740Q880,1800 1000,1900Q1120,1800 1240,1740L1290,1830Q1130,1900 1000,2030Q870,1900 710,1830Z" fill="#efe3c8"/>
    <path d="M610,1420C520,900 660,480 1000,470C1340,480 1480,900 1390,1420C1370,1560 1290,1660 1190,1700H810C710,1660 630,1560 610,1420Z" fill="${palette.brick}"/>
    <path d="M1100,480C1350,560 1470,930 1390,1420C1370,1560 1290,1660 1190,1700H1090C1290,1500 1330,860 1100,480Z" fill="#7d2b1c" fill-opacity=".6"/>
    <g fill="${palette.cream}" fill-opacity=".9">${dots.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="19"/>`).join('')}</g>
    <path d="M730,1080C730,880 830,800 1000,800C1170,800 1270,880 1270,1080V1230C1270,1470 1140,1600 1000,1606C860,1600 730,1470 730,1230Z" fill="#dfa582"/>
    <path d="M1130,824C1220,860 1270,940 1270,1080V1230C1270,1430 1180,1550 1080,1594C1220,1380 1220,1040 1130,824Z" fill="#b9745a" fill-opacity=".5"/>
    <path d="M730,1080C730,880 830,800 1000,800C1170,800 1270,880 1270,1080C1220,960 1120,900 1040,890C900,900 790,960 730,1080Z" fill="#8b8a86"/>
    <path d="M800,1100Q860,1064 920,1092L916,1112Q860,1092 806,1122ZM1200,1100Q1140,1064 1080,1092L1084,1112Q1140,1092 1194,1122Z" fill="#6e6965"/>
    <path d="M806,1182Q862,1146 914,1186Q862,1206 806,1182ZM1194,1182Q1138,1146 1086,1186Q1138,1206 1194,1182Z" fill="#fbf6ea"/><circle cx="862" cy="1177" r="19" fill="#3f5d46"/><circle cx="1138" cy="1177" r="19" fill="#3f5d46"/>
    <path d="M1000,1140C1022,1220 1050,1280 1036,1316C1016,1338 984,1338 964,1316C950,1280 978,1220 1000,1140Z" fill="#c98866"/>
    <path d="M904,1420Q952,1404 1000,1418Q1048,1404 1096,1420Q1000,1490 904,1420Z" fill="#a9513f"/><path d="M904,1420Q1000,1438 1096,1420" stroke="#7d3527" stroke-width="6" fill="none"/>
    <path d="M770,1330q40,50 90,56M1230,1330q-40,50 -90,56" stroke="#b9745a" stroke-width="7" fill="none" stroke-opacity=".6"/>
    <path d="M800,1640Q1000,1780 1200,1640L1260,1720Q1130,1800 1050,1790L1110,1980L1010,1850L930,2000L950,1790Q860,1800 740,1720Z" fill="#9c3b26"/>`;
}
