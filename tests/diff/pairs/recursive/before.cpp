// Sums a tree, again and again; the other side visits a deeper one.
struct Node {
    Node *left = nullptr, *right = nullptr;
    int value = 0;
};

__attribute__((noinline)) Node* grow(int depth) {
    if (depth == 0) return nullptr;
    return new Node{grow(depth - 1), grow(depth - 1), depth};
}

__attribute__((noinline)) long visit(const Node* node) {
    if (node == nullptr) return 0;
    return visit(node->left) + visit(node->right) + node->value;
}

int main() {
    const Node* const tree = grow(8);
    long sum = 0;
    for (int i = 0; i < 200; ++i) sum += visit(tree);
    return sum == 0;
}
