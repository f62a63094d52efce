import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import type { DomainError } from '../../kernel/errors';
import { validateAs } from './validation';

class Item {
  @IsOptional()
  @IsString()
  name?: string;
}

class Query {
  @IsOptional()
  @IsInt()
  limit?: number;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Item)
  items?: Item[];
}

const listMessages = async (value: object): Promise<readonly string[]> => {
  try {
    await validateAs(Query, value);
    return [];
  } catch (error) {
    return (error as DomainError).facts.errors?.map(({ message }) => message) ?? [];
  }
};

describe('the error for an unknown field', () => {
  it('names the field that was probably meant', async () => {
    expect(await listMessages({ limt: 3 })).toEqual([
      'limt is not a known field. Did you mean limit?',
    ]);
    expect(await listMessages({ items: [{ nmae: 'a' }] })).toEqual([
      'items[0].nmae is not a known field. Did you mean items[0].name?',
    ]);
  });

  it('names none if no field resembles it', async () => {
    expect(await listMessages({ colour: 'red' })).toEqual(['colour is not a known field.']);
  });
});
