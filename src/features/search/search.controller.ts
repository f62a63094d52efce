import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answer, Does } from '../../http/pipeline/answers';
import { Audited, ForOperator, Requires } from '../../http/pipeline/audience';
import { Caller } from '../../http/pipeline/decorators';
import type { Principal } from '../../http/pipeline/request-facts';
import { OperatorSearcher } from './operator-searcher';
import { OperatorSearchQuery, SearchQuery, SearchResults, TenantSearchResults } from './search.dto';
import { Searcher } from './searcher';

@ApiTags('Subscribers')
@Controller('v1/search')
export class SearchController {
  constructor(private readonly searcher: Searcher) {}

  @Get()
  @Requires('subscribers:read')
  @Does(
    'Finds an object by its id, by your own id of it, or a subscriber by the e-mail address.',
    'Only kinds of objects that the scopes of the caller may read are searched; e-mail addresses need `pii:read`.',
  )
  @Answer(SearchResults)
  async search(@Caller() caller: Principal, @Query() { q }: SearchQuery): Promise<SearchResults> {
    return { data: await this.searcher.find(caller, q.trim()) };
  }
}

@ApiTags('Operator')
@ForOperator()
@Controller('operator/v1/search')
export class OperatorSearchController {
  constructor(private readonly searcher: OperatorSearcher) {}

  @Get()
  @Audited('search.made', 'search')
  @Does(
    'Finds an object of any tenant by its id, a tenant by its name, or a subscriber by the address.',
    'Each search is recorded in the audit log, without the text that was searched.',
  )
  @Answer(TenantSearchResults)
  async search(@Query() { q }: OperatorSearchQuery): Promise<TenantSearchResults> {
    return { data: await this.searcher.find(q.trim()) };
  }
}
