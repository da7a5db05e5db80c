#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* a recursive descent evaluator, quicksort with a callback that recurses, mutual recursion, tree walk */
static const char* p; static volatile long sink;
static void burn(long n){ for(long i=0;i<n;i++) sink+=i; }
long expr(void);
long factor(void){ burn(3); if(*p=='('){ p++; long v=expr(); p++; return v;} long v=0; while(*p>='0'&&*p<='9') v=v*10+*p++-'0'; return v; }
long term(void){ burn(5); long v=factor(); while(*p=='*'){ p++; v*=factor(); } return v; }
long expr(void){ burn(7); long v=term(); while(*p=='+'){ p++; v+=term(); } return v; }
int odd(int n); int even(int n){ burn(2); return n==0?1:odd(n-1);} int odd(int n){ burn(4); return n==0?0:even(n-1);}
struct node{ struct node*l,*r; int k; };
struct node* ins(struct node*t,int k){ if(!t){ t=calloc(1,sizeof*t); t->k=k; return t;} if(k<t->k) t->l=ins(t->l,k); else t->r=ins(t->r,k); return t; }
void visit(struct node*t); void left(struct node*t){ burn(1); if(t->l) visit(t->l);} void right(struct node*t){ burn(2); if(t->r) visit(t->r);} 
void visit(struct node*t){ left(t); burn(t->k%5); right(t); }
int depth; int cmp(const void*a,const void*b); void sort(int*v,int n){ qsort(v,n,sizeof*v,cmp); }
int cmp(const void*a,const void*b){ if(depth<3){ depth++; int w[4]={3,1,2,0}; sort(w,4); depth--; } burn(2); return *(const int*)a-*(const int*)b; }
int ack(int m,int n){ return m==0?n+1:n==0?ack(m-1,1):ack(m-1,ack(m,n-1)); }
int main(int c,char**v){
  p="((1+2)*(3+4*(5+6))+7)*(8+(9*10+(11)))"; sink+=expr();
  sink+=even(9)+odd(20);
  struct node*t=0; for(int i=0;i<40;i++) t=ins(t,(i*37)%41); visit(t);
  int w[6]={5,2,4,1,3,0}; sort(w,6);
  sink+=ack(2,3); return 0; }
