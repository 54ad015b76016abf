import { rememberAnswer } from '../../process/remember-answer.ts';

describe('a remembered answer', () => {
  let time: number;
  beforeEach(() => (time = 0));
  const now = () => time;

  test('serves until its time is over, counted from when it came', async () => {
    const answers: ((value: number) => void)[] = [];
    const ask = async () => await new Promise<number>((resolve) => void answers.push(resolve));
    const remembered = rememberAnswer(1_000, ask, now);
    const first = remembered();
    time = 5_000;
    const second = remembered();
    answers[0]?.(1);
    expect([await first, await second, await remembered()]).toEqual([1, 1, 1]);
    time += 999;
    expect(await remembered()).toBe(1);
    time += 1;
    const next = remembered();
    answers[1]?.(2);
    expect(await next).toBe(2);
  });

  test('may be an error, which is asked about again after its time', async () => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return await (asked === 1 ? Promise.reject(new Error('down')) : Promise.resolve('up'));
    };
    const remembered = rememberAnswer(1_000, ask, now);
    await expect(remembered()).rejects.toThrow('down');
    await expect(remembered()).rejects.toThrow('down');
    time = 1_000;
    expect([await remembered(), asked]).toEqual(['up', 2]);
  });
});
