import { countryCode } from '../country.ts';
import { searchWords } from '../fold.ts';

/** Cities and regions, folded, that are written after a name. Those that are also given names, such as Sofia and Milan, are not here. */
const PLACES = new Set(
  [
    'moscow,moskau,moskva,moscou,москва,московская область,موسكو,莫斯科,saint petersburg,st petersburg,санкт петербург,grozny,грозныи,kazan,sochi',
    'novosibirsk,yekaterinburg,ekaterinburg,rostov,krasnodar,vladivostok,sevastopol,simferopol,crimea,donetsk,luhansk,chechnya,minsk,минск,kyiv,kiev',
    'tehran,teheran,тегеран,تهران,طهران,isfahan,mashhad,shiraz,tabriz,damascus,damaskus,دمشق,aleppo,homs,latakia,baghdad,mosul,basra,erbil,beirut',
    'beyrouth,بيروت,gaza,ramallah,sanaa,hodeidah,tripoli,benghazi,khartoum,kabul,kandahar,islamabad,karachi,lahore,peshawar,quetta,pyongyang,平壤',
    'havana,habana,la habana,caracas,managua,bogota,culiacan,tijuana,mexico city,harare,bangui,mogadishu,juba,kinshasa,naypyidaw,yangon,rangoon',
    'dubai,abu dhabi,sharjah,doha,riyadh,jeddah,kuwait city,manama,muscat,cairo,istanbul,ankara,izmir,tel aviv,jerusalem,baku,tbilisi,yerevan',
    'tashkent,almaty,astana,bishkek,dushanbe,ashgabat,beijing,peking,shanghai,shenzhen,guangzhou,dalian,taipei,seoul,tokyo,bangkok,jakarta',
    'kuala lumpur,manila,hanoi,phnom penh,mumbai,new delhi,delhi,dhaka,colombo,london,manchester,paris,marseille,berlin,hamburg,munich,munchen',
    'frankfurt,koln,cologne,vienna,wien,zurich,geneva,geneve,bern,basel,zug,lugano,brussels,bruxelles,antwerp,amsterdam,rotterdam,luxembourg city',
    'madrid,barcelona,malaga,lisbon,lisboa,rome,milano,naples,athens,nicosia,limassol,valletta,belgrade,beograd,zagreb,sarajevo,ljubljana,budapest',
    'bucharest,prague,praha,bratislava,warsaw,warszawa,riga,vilnius,tallinn,helsinki,stockholm,oslo,copenhagen,dublin,reykjavik,chisinau,tirana',
    'skopje,podgorica,new york,los angeles,miami,chicago,houston,toronto,montreal,vancouver,panama city,sao paulo,buenos aires,lagos,nairobi',
    'johannesburg,cape town,addis ababa,algiers,tunis,casablanca,rabat,accra,dakar,eu,ru,ir,sy,by,cu,ve,ua,kp,us,usa,uk,gb,de,fr,ch,ae,uae,tr',
  ].flatMap((line) => line.split(',')),
);
/** Countries whose names are given names. */
const GIVEN_NAMES = new Set([
  'jordan',
  'georgia',
  'chad',
  'israel',
  'india',
  'america',
  'ireland',
  'guinea',
  'england',
]);

/** The letters of a code such as CH or USA, which may also be a name. */
const MAX_CODE = 3;

/** Whether a text is a country, a city or a region and hardly somebody's given name. */
export function isPlace(text: string): boolean {
  const words = searchWords(text);
  const place = words.join(' ');
  if (PLACES.has(place)) return true;
  return place.length > MAX_CODE && !GIVEN_NAMES.has(place) && countryCode(place) !== undefined;
}

/** Words, folded and romanised, that say of an organisation where it is from. */
const ORIGINS = new Set(
  [
    'europe european eurasia eurasian asia asian africa african state russian rossiya iranian syrian lebanese iraqi yemeni',
    'palestinian cuban venezuelan belarusian ukrainian korean chinese turkish emirati libyan sudanese afghan pakistani serbian',
  ].flatMap((line) => line.split(' ')),
);

/** Whether a word of an organisation's name says where it is from: a continent, a country or its people. */
export function isOrigin(word: string): boolean {
  return ORIGINS.has(word) || (word.length > MAX_CODE && countryCode(word) !== undefined);
}
